"""PyTorch's operators on lists of tensors, one call for all of a list.

PyTorch has no public names for them (2.13: `torch._foreach_*`); its own optimizers call them so,
and nothing else of ours does.
"""

from __future__ import annotations

import torch

abs = torch._foreach_abs
add = torch._foreach_add
add_ = torch._foreach_add_
addcdiv_ = torch._foreach_addcdiv_
addcmul = torch._foreach_addcmul
addcmul_ = torch._foreach_addcmul_
clamp_max = torch._foreach_clamp_max
clamp_min = torch._foreach_clamp_min
copy_ = torch._foreach_copy_
div = torch._foreach_div
lerp_ = torch._foreach_lerp_
maximum_ = torch._foreach_maximum_
mul = torch._foreach_mul
mul_ = torch._foreach_mul_
neg = torch._foreach_neg
norm = torch._foreach_norm
sign = torch._foreach_sign
sqrt = torch._foreach_sqrt
sqrt_ = torch._foreach_sqrt_
sub = torch._foreach_sub
sub_ = torch._foreach_sub_
