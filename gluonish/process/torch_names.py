"""Every private name of PyTorch that gluonish uses; a new version is tried here first.

Each is here for want of a public one, or since the public one is slower.
"""

# ruff: noqa: SLF001 - they are what this module is for

from __future__ import annotations

import functools
import importlib
import importlib.util
import math
import pathlib
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.data._utils.collate import default_collate_fn_map
from torch.utils.data._utils.worker import _generate_state as seed_of_numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.process import BaseProcess
    from types import ModuleType
    from typing import Protocol

    from torch.utils.data.dataloader import _BaseDataLoaderIter

    class Kernel(Protocol):
        """A compiled kernel: it is called with its grid, blocks, arguments and shared memory."""

        def __call__(
            self,
            grid: tuple[int, ...],
            block: tuple[int, ...],
            args: list[Any],
            shared_mem: int,
            /,
        ) -> None: ...

        def set_shared_memory_config(self, shared_mem_bytes: int, /) -> None: ...


__all__ = [
    "COMPILER",
    "TorchDispatchMode",
    "default_collate_fn_map",
    "seed_of_numpy",
]

COMPILER = "torch._dynamo"  # what is imported late, at 2 seconds

# Whether a graph is being captured: how many modes see torch's functions, and whether any does.
count_function_modes = torch._C._len_torch_function_stack
sees_functions = torch._C._is_torch_function_mode_enabled
# Hides torch's functions from the modes that see them, those of a capture as well.
without_functions = torch._C.DisableTorchFunction
# How many modes see torch's kernels.
count_kernel_modes = torch._C._len_torch_dispatch_stack
# The number that the next node of autograd's graph gets.
next_node_number = torch._C._autograd._get_sequence_nr
# Counts a write to each of some tensors, without checks.
increment_versions = torch._C._increment_version
# Runs backward passes, without checks of what was checked before.
execution_engine = torch.autograd.Variable._execution_engine
# What a recorder sees of `functional.linear`.
linear = torch._C._nn.linear
# What `functional.cross_entropy` calls: half a microsecond less, where it is short.
cross_entropy_loss: Callable[..., torch.Tensor] = torch._C._nn.cross_entropy_loss
# The text of each module of a graph there ever was, by the name that tracebacks have.
texts_of_graphs = torch.fx.graph_module._loader.eval_cache
# An operator of the dispatcher, with its types.
OperatorOverload = torch._ops.OpOverload
# Products of matrices of dtype int8, added up as int32.
integer_products = torch._int_mm
# Gamma variates from a generator of one's own.
standard_gamma = torch._standard_gamma

# oneDNN's kernels with weights in an order of its own, and with functions of the result.
# None where torch was built without it.
has_onednn: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
if has_onednn:
    convolution_pointwise = torch.ops.mkldnn._convolution_pointwise.default
    convolution_onto = torch.ops.mkldnn._convolution_pointwise_.binary
    linear_pointwise = torch.ops.mkldnn._linear_pointwise.default
    pack_filters = torch.ops.mkldnn._reorder_convolution_weight.default
    pack_matrix = torch.ops.mkldnn._reorder_linear_weight.default
else:
    convolution_pointwise = convolution_onto = linear_pointwise = None  # type: ignore[assignment]
    pack_filters = pack_matrix = None  # type: ignore[assignment]

# Operators on lists of tensors, one call for all of a list; torch's own optimizers call them so.
foreach_abs = torch._foreach_abs
foreach_add = torch._foreach_add
foreach_add_ = torch._foreach_add_
foreach_addcdiv_ = torch._foreach_addcdiv_
foreach_addcmul = torch._foreach_addcmul
foreach_addcmul_ = torch._foreach_addcmul_
foreach_clamp_max = torch._foreach_clamp_max
foreach_clamp_min = torch._foreach_clamp_min
foreach_copy_ = torch._foreach_copy_
foreach_div = torch._foreach_div
foreach_lerp_ = torch._foreach_lerp_
foreach_maximum_ = torch._foreach_maximum_
foreach_mul = torch._foreach_mul
foreach_mul_ = torch._foreach_mul_
foreach_neg = torch._foreach_neg
foreach_norm = torch._foreach_norm
foreach_sign = torch._foreach_sign
foreach_sqrt = torch._foreach_sqrt
foreach_sqrt_ = torch._foreach_sqrt_
foreach_sub = torch._foreach_sub
foreach_sub_ = torch._foreach_sub_
# SGD of all of a list in one pass.
fused_sgd_ = torch._fused_sgd_


@functools.cache
def onednn_product() -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Return an operator that multiplies two matrices of dtype float32 by oneDNN."""

    @torch.library.custom_op("gluonish::onednn_product", mutates_args=())
    def product(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = linear_pointwise(first, second.t(), None, "none", [], "")
        return made

    @product.register_fake
    def _(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        return first.new_empty((first.shape[0], second.shape[1]))

    found: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    found = torch.ops.gluonish.onednn_product.default
    return found


@functools.cache
def _lower_onednn_product() -> None:
    """Have Inductor call oneDNN for it; by itself it does so for weights that never change only."""
    if not has_onednn:
        return
    lowering = importlib.import_module("torch._inductor.lowering")
    ir = importlib.import_module("torch._inductor.ir")
    calls = importlib.import_module("torch._inductor.mkldnn_ir")

    @lowering.register_lowering(onednn_product(), type_promotion_kind=None)  # type: ignore[untyped-decorator]
    def _(first: object, second: object) -> object:
        x = ir.ExternKernel.realize_input(first)
        w = ir.ExternKernel.realize_input(lowering.permute(second, [1, 0]))
        layout = ir.FixedLayout(
            device=x.get_device(), dtype=x.get_dtype(), size=[x.get_size()[0], w.get_size()[0]]
        )
        layer = calls.LinearUnary(layout, [x, w], [None, "none", [-1], ""])
        return ir.TensorBox.create(calls._create_output_node(layer))


def aot_compile(*args: Any, **options: Any) -> str:
    """Compile a graph into a library; documented under its private name."""
    _lower_onednn_product()
    made = torch._inductor.aot_compile(*args, **options)
    return str(made)


# torch compiles its own kernels without CUDA's operators of half precision.
_PLAIN_HALVES = "".join(
    f"#undef __CUDA_NO_{what}__\n"
    for what in ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS", "BFLOAT16_CONVERSIONS")
)


def compile_kernel(source: str, name: str, options: list[str]) -> Kernel:
    """Return a kernel of CUDA's C, compiled by NVRTC for the current device.

    torch refuses where no CUDA toolkit is installed, although NVRTC and its headers came with it.
    """
    extension: Any = importlib.import_module("torch.utils.cpp_extension")
    home = extension.CUDA_HOME
    extension.CUDA_HOME = home or _home_of_headers()
    try:
        whole = f"{_PLAIN_HALVES}#line 1\n{source}"
        made: Kernel = torch.cuda._compile_kernel(whole, name, nvcc_options=list(options))
    finally:
        extension.CUDA_HOME = home
    return made


def _home_of_headers() -> str:
    """Return the folder whose `include` holds CUDA's headers, or torch's, which has none."""
    found = importlib.util.find_spec("nvidia")
    places = (found and found.submodule_search_locations) or ()
    for place in places:
        for header in pathlib.Path(place).glob("*/include/cuda_fp16.h"):
            return str(header.parent.parent)
    return str(pathlib.Path(torch.__file__).parent)


def compile_now(
    module: torch.fx.GraphModule, examples: list[torch.Tensor], options: dict[str, Any] | None
) -> Callable[..., Any]:
    """Return a graph that Inductor has compiled for examples of its arguments."""
    found = importlib.import_module("torch._inductor.compile_fx")
    compiled: Callable[..., Any] = found.compile_fx(module, examples, config_patches=options)
    return compiled


def library_runners() -> ModuleType:
    """Return what loads compiled libraries; the public loader imports a compiler."""
    runners: ModuleType = torch._C._aoti
    return runners


def data_dependent_shape_error() -> type[Exception]:
    """Return the class of errors for results whose shape depends on values."""
    found = importlib.import_module("torch._subclasses.fake_tensor")
    kind: type[Exception] = found.DynamicOutputShapeException
    return kind


def shared_tensor(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor of any values, in memory that other processes can be given."""
    size = math.prod(shape) * dtype.itemsize
    storage = torch.UntypedStorage._new_shared(size)  # type: ignore[no-untyped-call]
    return torch.empty(0, dtype=dtype).set_(storage).view(torch.Size(shape))


def workers_of(batches: _BaseDataLoaderIter) -> list[BaseProcess]:
    """Return the processes that make the batches of torch's DataLoader."""
    workers: list[BaseProcess] = batches._workers  # type: ignore[attr-defined]
    return workers


def stop_workers(batches: _BaseDataLoaderIter) -> None:
    """Stop them; without it they wait for a garbage collection."""
    batches._shutdown_workers()  # type: ignore[attr-defined]
