"""Rounds results as another processor might: `python -m pytest -p tests.last_bits`.

What a sum of two numbers is, a product, a quotient or a root is the same everywhere; how the last
bit of an exponential or of a long sum comes out depends on the processor. Such results are moved by
one unit in the last place here, up or down as a hash of their bits says: the same call gives the
same result again, as it does on a processor. What is exact, as `exp(0)` is, stays. Tests that fail
hang on a last bit. LAST_BITS_SEED draws other hashes; LAST_BITS_PART=2/3 takes a third of all.
"""

from __future__ import annotations

import os
import zlib

import numpy as onp
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from tests.parts import keep_part

SEED = int(os.environ.get("LAST_BITS_SEED", "0"))
FIXED = {"add", "sub", "rsub", "mul", "div", "sqrt", "reciprocal", "square", "fmod"} | {
    "remainder", "round", "clamp", "clamp_min", "clamp_max", "hardtanh", "where", "masked_fill",
    "copy", "_to_copy", "full", "fill", "arange", "linspace", "scalar_tensor", "leaky_relu",
    "leaky_relu_backward", "_prelu_kernel", "threshold_backward",
    "xlogy",  # the C library's logarithm, by which random streams are drawn
}  # fmt: skip
# Their errors are as large as the last place of the sum of their terms' absolute values.
SUMS = {"sum", "mean", "mm", "bmm", "addmm", "baddbmm", "mv", "dot", "cumsum", "var_mean"} | {
    "convolution", "convolution_backward", "avg_pool2d", "avg_pool3d", "native_batch_norm",
    "native_layer_norm", "embedding_dense_backward",
}  # fmt: skip


class OtherProcessor(TorchDispatchMode):
    """Runs operators, and rounds what they compute in another way."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run an operator, and move those of its results that it does not give in float64 too."""
        kwargs = kwargs or {}
        name = func._schema.name.partition("::")[2].removeprefix("_foreach_").rstrip("_")
        given = [each for each in tree_leaves((args, kwargs)) if isinstance(each, torch.Tensor)]
        if (
            (name in FIXED and kwargs.get("alpha", 1) == 1)
            or torch.Tag.nondeterministic_seeded in func.tags
            or not all(map(_is_plain, given))
        ):
            return func(*args, **kwargs)
        exact, absolute = tree_map(_widened, (args, kwargs)), tree_map(_absolute, (args, kwargs))
        found = func(*args, **kwargs)
        results = _results(found, args)
        wide = _in_float64(func, exact, len(results))
        sizes = _in_float64(func, absolute, len(results)) if name in SUMS else wide
        for result, value, size in zip(results, wide, sizes, strict=True):
            if (
                _is_plain(result)
                and result.dtype in (torch.float32, torch.float16)
                and value is not None
                and size is not None
            ):
                _move(result, value.numpy(), size.abs().numpy(), zlib.crc32(name.encode()) + SEED)
        return found


def _is_plain(tensor):
    is_own = type(tensor) in (torch.Tensor, torch.nn.Parameter)
    return is_own and tensor.layout == torch.strided and tensor.is_cpu


def _results(found, args):
    """Return the tensors that a call gave, or changed if it gives none."""
    results = [each for each in tree_leaves(found) if isinstance(each, torch.Tensor)]
    return results or [each for each in tree_leaves(args[:1]) if isinstance(each, torch.Tensor)]


def _in_float64(func, given, count):
    """Return the results of a call in float64; None for each if there is no such operator."""
    try:
        results = _results(func(*given[0], **given[1]), given[0])
    except (RuntimeError, NotImplementedError):
        return [None] * count
    return [each if each.dtype == torch.float64 else None for each in results]


def _widened(value):
    """Return a copy of a tensor, in float64 for one of fewer bits."""
    if isinstance(value, torch.Tensor):
        dtype = torch.float64 if value.is_floating_point() else value.dtype
        return value.detach().to(dtype, copy=True)
    return torch.float64 if isinstance(value, torch.dtype) and value.is_floating_point else value


def _absolute(value):
    wide = _widened(value)
    return wide.abs() if isinstance(wide, torch.Tensor) and wide.is_floating_point() else wide


def _move(result, exact, sizes, salt):
    """Move each element that is rounded by one unit in the last place of its size, in place."""
    values = result.detach().numpy()
    if values.shape != exact.shape or not values.flags.writeable:
        return
    place = onp.arange(values.size, dtype=onp.uint64).reshape(values.shape) + onp.uint64(salt)
    with onp.errstate(all="ignore"):
        bits = exact.view(onp.uint64) ^ (place * onp.uint64(0x9E3779B97F4A7C15))
        bits = (bits ^ (bits >> onp.uint64(31))) * onp.uint64(0x94D049BB133111EB)
        signs = onp.where((bits >> onp.uint64(40)) & onp.uint64(1), 1.0, -1.0)
        moved = exact + signs * onp.maximum(sizes, abs(exact)) * 2.0**-23
        kept = (values == exact) | ~onp.isfinite(exact) | ~onp.isfinite(values)
        values[...] = onp.where(kept, values, moved.astype(values.dtype))


def pytest_collection_modifyitems(config, items):
    """Keep the tests of one part, if LAST_BITS_PART names one."""
    if part := os.environ.get("LAST_BITS_PART"):
        keep_part(config, items, part, lambda _: True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Run a test on the other processor."""
    with OtherProcessor():
        return (yield)
