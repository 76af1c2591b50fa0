"""PyTorch's operators on lists of tensors, one call for all of a list."""

from __future__ import annotations

from gluonish.process import torch_names
from gluonish.process.torch_names import (
    foreach_add as add,
    foreach_add_ as add_,
    foreach_addcdiv_ as addcdiv_,
    foreach_addcmul as addcmul,
    foreach_addcmul_ as addcmul_,
    foreach_clamp_max as clamp_max,
    foreach_clamp_min as clamp_min,
    foreach_copy_ as copy_,
    foreach_div as div,
    foreach_lerp_ as lerp_,
    foreach_maximum_ as maximum_,
    foreach_mul as mul,
    foreach_mul_ as mul_,
    foreach_neg as neg,
    foreach_norm as norm,
    foreach_sign as sign,
    foreach_sqrt as sqrt,
    foreach_sqrt_ as sqrt_,
    foreach_sub as sub,
    foreach_sub_ as sub_,
)

abs = torch_names.foreach_abs

__all__ = [
    "abs",
    "add",
    "add_",
    "addcdiv_",
    "addcmul",
    "addcmul_",
    "clamp_max",
    "clamp_min",
    "copy_",
    "div",
    "lerp_",
    "maximum_",
    "mul",
    "mul_",
    "neg",
    "norm",
    "sign",
    "sqrt",
    "sqrt_",
    "sub",
    "sub_",
]
