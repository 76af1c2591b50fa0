"""`mx.rtc`: kernels in CUDA's C, for which PyTorch has its own ways."""

from __future__ import annotations

from typing import NoReturn

from gluonish.errors import UnsupportedOptionError

__all__ = ["CudaModule"]


class CudaModule:
    """MXNet's compiler of CUDA kernels; making one raises an error that says what to use.

    Raises
    ------
    UnsupportedOptionError
        Always.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rtc.CudaModule('...')
    Traceback (most recent call last):
        ...
    gluonish.errors.UnsupportedOptionError: rtc.CudaModule: ...
    """

    def __new__(
        cls,
        source: str,  # noqa: ARG004 - MXNet's arguments
        options: tuple[str, ...] = (),  # noqa: ARG004
        exports: tuple[str, ...] = (),  # noqa: ARG004
    ) -> NoReturn:
        """Say what to use."""
        msg = (
            "rtc.CudaModule: kernels in CUDA's C are not compiled here. Write the kernel in "
            "Triton, or by torch.cuda's compiler of kernels, and call it in a mx.operator.CustomOp "
            "(array.data of its arguments), or hybridize the Block, which joins operators."
        )
        raise UnsupportedOptionError(msg)
