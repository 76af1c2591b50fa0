"""`mx.rtc`: kernels in CUDA's C, compiled by NVRTC while a program runs."""

from __future__ import annotations

import numbers
import re
import struct
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp
import torch

from gluonish.array import NDArray
from gluonish.array.order import put_in_order
from gluonish.array.tensors import plain
from gluonish.array.writes import wrote_to
from gluonish.errors import (
    CompileError,
    ContextError,
    DTypeError,
    InvalidArgumentError,
    OperandError,
)
from gluonish.process.torch_names import compile_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.context import Context
    from gluonish.process.torch_names import Kernel

__all__ = ["CudaKernel", "CudaModule"]

_DTYPES = {
    "float": "float32", "double": "float64", "__half": "float16", "uint8_t": "uint8",
    "int": "int32", "int32_t": "int32", "int8_t": "int8", "char": "int8", "int64_t": "int64",
}  # fmt: skip
_SHARED = 48 * 1024  # bytes, above which a kernel must be told of what it gets
_ARGUMENT = re.compile(r"(const )?(\w+) ?(\*)? ?(\w+)?")


class _Argument(NamedTuple):
    """One argument of a kernel's signature."""

    text: str
    is_constant: bool
    dtype: str
    is_array: bool


class CudaModule:
    """CUDA code that was compiled while the program runs.

    Parameters
    ----------
    source : str
        The complete code. Kernels are declared `extern "C" __global__ void`, or named in
        `exports`.
    options : tuple of str, default ()
        Flags of the compiler, such as '-I/usr/local/cuda/include'.
    exports : tuple of str, default ()
        Kernels that are C++, templates with their types included: 'axpy<float>'.

    Raises
    ------
    ContextError
        There is no GPU.
    CompileError
        An export can't be compiled; the message is the compiler's.

    Notes
    -----
    Each kernel is compiled for itself, when `get_kernel` asks for it: what code declares
    `__device__` or `__constant__` is each kernel's own.

    Examples
    --------
    ::

        source = '''
        extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
            int i = threadIdx.x + blockIdx.x * blockDim.x;
            y[i] += alpha * x[i];
        }
        '''
        axpy = mx.rtc.CudaModule(source).get_kernel('axpy', 'const float *x, float *y, float alpha')
        x, y = mx.nd.ones(10, ctx=mx.gpu(0)), mx.nd.zeros(10, ctx=mx.gpu(0))
        axpy.launch([x, y, 3.0], mx.gpu(0), (1, 1, 1), (10, 1, 1))
    """

    def __init__(
        self, source: str, options: str | Sequence[str] = (), exports: str | Sequence[str] = ()
    ) -> None:
        if not torch.cuda.is_available():
            msg = (
                "rtc.CudaModule: there is no GPU here that PyTorch can use. Expected one, since "
                "CUDA's C runs nowhere else. Write an operator in Python, mx.operator.CustomOp."
            )
            raise ContextError(msg)
        self._source = source
        self._options = [options] if isinstance(options, str) else list(options)
        self._compiled: dict[tuple[str, int], Kernel] = {}
        for name in [exports] if isinstance(exports, str) else exports:
            self._compile(name, torch.cuda.current_device())

    def get_kernel(self, name: str, signature: str) -> CudaKernel:
        """Return a kernel of the module.

        Parameters
        ----------
        name : str
            Its name, as in `exports` if it stands there.
        signature : str
            Its arguments as the code declares them: 'const float *x, double *y, int n'. A `*`
            marks an array, `const` one that is only read; names may be left out. Types are float,
            double, __half, uint8_t, int8_t, char, int, int32_t and int64_t.

        Raises
        ------
        InvalidArgumentError, DTypeError
            `signature` does not have this form, or names another type.
        CompileError
            The code can't be compiled, or has no such kernel; the message is the compiler's.
        """
        arguments = [_argument(each) for each in signature.split(",")]
        self._compile(name, torch.cuda.current_device())
        return CudaKernel(partial(self._compile, name), name, arguments)

    def _compile(self, name: str, device: int) -> Kernel:
        """Return a kernel for a device; it is compiled where it is asked for first."""
        found = self._compiled.get((name, device))
        if found is None:
            try:
                with torch.cuda.device(device):
                    found = compile_kernel(self._source, name, self._options)
            except (RuntimeError, OSError) as error:  # of the compiler, or of a missing library
                msg = (
                    f"rtc.CudaModule: {name!r} was not compiled: {error} Expected CUDA's C with a "
                    f'kernel of that name. Declare it extern "C", or name it in exports.'
                )
                raise CompileError(msg) from error
            self._compiled[name, device] = found
        return found


class CudaKernel:
    """A kernel of a `CudaModule`; its `get_kernel` makes them.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.rtc.CudaKernel.launch.__name__
    'launch'
    """

    def __init__(
        self, compiled: Callable[[int], Kernel], name: str, arguments: Sequence[_Argument]
    ) -> None:
        self._compiled = compiled
        self._name = name
        self._arguments = arguments

    def launch(
        self,
        args: Sequence[Any],
        ctx: Context,
        grid_dims: tuple[int, ...],
        block_dims: tuple[int, ...],
        shared_mem: int = 0,
    ) -> None:
        """Run the kernel.

        Parameters
        ----------
        args : list of NDArray or number
            Arrays for what the signature marks with `*`, numbers for the rest.
        ctx : Context
            The GPU to run it on, where the arrays are.
        grid_dims, block_dims : tuple of three int
            Blocks of the grid, and threads of a block.
        shared_mem : int, default 0
            Bytes of shared memory for each block, beside what the code declares.

        Raises
        ------
        OperandError
            Arguments, dimensions or the context do not fit.
        DTypeError, ContextError
            An array is of another dtype than the signature says, or on another device.
        """
        where = f"CudaKernel({self._name})"
        if ctx.device_type != "gpu":
            msg = (
                f"{where}: ctx={ctx} was given. Cuda kernel can only be launched on GPU. "
                f"Write mx.gpu(0)."
            )
            raise OperandError(msg)
        for said, dimensions in (("grid_dims", grid_dims), ("block_dims", block_dims)):
            if len(dimensions) != 3:
                msg = (
                    f"{where}: {said}={dimensions!r} was given. {said} must be a tuple of 3 "
                    f"integers. Fill up with 1."
                )
                raise OperandError(msg)
        if len(args) != len(self._arguments):
            msg = (
                f"{where} expects {len(self._arguments)} arguments but got {len(args)}. "
                f"They are {', '.join(each.text for each in self._arguments)}. Give all of them."
            )
            raise OperandError(msg)
        given: list[Any] = [
            _array(where, i, arg, said, ctx) if said.is_array else _number(where, i, arg, said)
            for i, (arg, said) in enumerate(zip(args, self._arguments, strict=True))
        ]
        with torch.cuda.device(ctx.device_id):
            kernel = self._compiled(ctx.device_id)
            if shared_mem >= _SHARED:
                kernel.set_shared_memory_config(shared_mem)
            kernel(tuple(grid_dims), tuple(block_dims), given, shared_mem)
        wrote_to(
            [
                tensor
                for tensor, said in zip(given, self._arguments, strict=True)
                if said.is_array and not said.is_constant
            ]
        )


def _argument(text: str) -> _Argument:
    """Read one argument of a signature."""
    said = " ".join(text.split())
    found = _ARGUMENT.fullmatch(said)
    if found is None or found[2] == "const":
        msg = (
            f'Invalid function prototype "{said}". Must be in the form of "(const) type (*) '
            f'(name)". Write arguments as const float *x.'
        )
        raise InvalidArgumentError(msg)
    if found[2] not in _DTYPES:
        msg = (
            f"Unsupported kernel argument type {said}. Supported types are: "
            f"{','.join(_DTYPES)}. Write another type, and cast in the kernel."
        )
        raise DTypeError(msg)
    return _Argument(said, bool(found[1]), _DTYPES[found[2]], bool(found[3]))


def _array(where: str, position: int, value: object, said: _Argument, ctx: Context) -> Tensor:
    """Return an array's memory, in order."""
    if not isinstance(value, NDArray):
        msg = (
            f"{where}: The {position}-th argument is expected to be a NDArray but got "
            f"{type(value)}. The signature says {said.text}. Write mx.nd.array(...)."
        )
        raise OperandError(msg)
    if onp.dtype(value.dtype).name != said.dtype:
        msg = (
            f"{where}: The {position}-th argument is of {onp.dtype(value.dtype).name}. The "
            f"signature says {said.text}, which is {said.dtype}. Cast it: x.astype({said.dtype!r})."
        )
        raise DTypeError(msg)
    if value.context != ctx:
        msg = (
            f"{where}: The {position}-th argument is on {value.context}. Expected it on {ctx}, "
            f"where the kernel runs. Move it with x.as_in_context({ctx})."
        )
        raise ContextError(msg)
    put_in_order(value)
    return plain(value)


def _number(where: str, position: int, value: object, said: _Argument) -> int | float:
    """Return a number whose bits, as an int of C or a double, are those the kernel reads."""
    if not isinstance(value, numbers.Number):
        msg = (
            f"{where}: The {position}-th argument is expected to be a number, but got "
            f"{type(value)}. The signature says {said.text}. Write x.asscalar()."
        )
        raise OperandError(msg)
    memory = onp.array(value).astype(said.dtype).tobytes()
    kind = "d" if len(memory) == 8 else "i"
    found: int | float = struct.unpack(kind, memory.ljust(4, b"\0"))[0]
    return found
