"""Maximum of windows of images, by oneDNN where that is several times as fast as torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.opaque import compilable, opaque

if TYPE_CHECKING:
    from typing import TypeAlias

    Window: TypeAlias = int | tuple[int, ...] | list[int]

# Elements from which on oneDNN wins although the layout has to be changed, measured on one thread.
_WORTH_IT = 16_384
_WORTH_RECORDING = 65_536
_HAS_ONEDNN = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]


@compilable
@opaque
def max_pool2d(
    data: Tensor, kernel: Window, stride: Window | None = None, padding: Window = 0
) -> Tensor:
    """Return the maximum of each window.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        The images.
    kernel, stride, padding : int or tuple of int
        The windows: their size, the steps between them (their size by default), and how many
        pixels are added around the image.

    Notes
    -----
    Of equal maxima the first gets the gradient. Windows with some NaN have the maximum of the
    others in large images, as in MXNet, and NaN in small ones, as in torch.
    """
    is_recorded = data.requires_grad and torch.is_grad_enabled()
    # A compiler's stand-ins for tensors are of other classes; it has a kernel of its own.
    if (
        type(data) is not Tensor
        or data.numel() < (_WORTH_RECORDING if is_recorded else _WORTH_IT)
        or data.dtype is not torch.float32
        or data.device.type != "cpu"
        or data.dim() != 4
        or not data.is_contiguous()  # torch is fast where channels are innermost
        or not _HAS_ONEDNN
    ):
        return torch.max_pool2d(data, kernel, stride or kernel, padding)
    if is_recorded:
        return _MaxPool.apply(data, kernel, stride or kernel, padding)  # type: ignore[no-untyped-call,no-any-return]
    pooled = torch.mkldnn_max_pool2d(data.detach().to_mkldnn(), kernel, stride or kernel, padding)
    return pooled.to_dense()


class _MaxPool(torch.autograd.Function):
    """Maximum of windows, with oneDNN's gradient; torch's where that is differentiated again."""

    @staticmethod
    @override
    def forward(ctx: Any, data: Tensor, kernel: Window, stride: Window, padding: Window) -> Tensor:
        # oneDNN notes where the maxima are only if a gradient is wanted.
        with torch.enable_grad():
            given = data.detach().to_mkldnn().requires_grad_()
            pooled = torch.mkldnn_max_pool2d(given, kernel, stride, padding)
        ctx.save_for_backward(data)
        ctx.known = given, pooled
        ctx.window = kernel, stride, padding
        return pooled.detach().to_dense()

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> Any:
        (data,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            pooled = torch.max_pool2d(data, *ctx.window)
            (found,) = torch.autograd.grad(pooled, data, grads[0], create_graph=True)
            return found, None, None, None
        given, pooled = ctx.known
        slope = grads[0].contiguous().to_mkldnn()
        (found,) = torch.autograd.grad(pooled, given, slope, retain_graph=True)
        return found.to_dense(), None, None, None
