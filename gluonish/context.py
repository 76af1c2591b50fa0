"""`mx.context`: where arrays live, and the default class of new arrays."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as onp
import torch
from typing_extensions import override

from gluonish.errors import ContextError, ContextNameError
from gluonish.errors.program_arguments import keyword, with_tuple
from gluonish.errors.suggestions import with_hints
from gluonish.process import heap

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self, TypeAlias

Contexts: TypeAlias = "Context | Sequence[Context] | None"

__all__ = [
    "Context",
    "cpu",
    "cpu_pinned",
    "current_context",
    "gpu",
    "gpu_memory_info",
    "is_np_array",
    "is_np_shape",
    "num_gpus",
]

REHEARSED = -1  # the number of a context apart, which stands for any


class _Ambient(threading.local):
    """Context stack and NumPy switches of one thread; a new thread starts from the defaults."""

    default_np_array = False
    default_np_shape = False

    def __init__(self) -> None:
        self.stack: list[Context] = []
        self.np_array = _Ambient.default_np_array
        self.np_shape = _Ambient.default_np_shape


_ambient = _Ambient()


class _Default:
    """The context in force in this thread, as `value`."""

    @property
    def value(self) -> Context:
        """The context, which may be set to another one."""
        return current_context()

    @value.setter
    def value(self, ctx: Context) -> None:
        _ambient.stack[-1:] = [ctx]


class _ContextType(type):
    """What the class of contexts has, and contexts have not."""

    _default_ctx = _Default()

    @property
    def default_ctx(cls) -> Context:
        """The context in force in this thread, which may be set to another one."""
        return cls._default_ctx.value

    @default_ctx.setter
    def default_ctx(cls, ctx: Context) -> None:
        cls._default_ctx.value = ctx


def _number(given: int | onp.ndarray[Any, Any]) -> int:
    return int(given.item() if isinstance(given, onp.ndarray) else given)


@with_hints
class Context(metaclass=_ContextType):
    """Device that holds arrays and runs operators.

    Parameters
    ----------
    device_type : {'cpu', 'gpu', 'cpu_pinned', 'cpu_shared'} or Context
        Kind of device.
    device_id : int, default 0
        Number of the device. All `cpu` contexts share one memory; they differ in name, so that
        programs for several devices run on a machine that has one.

    Raises
    ------
    ContextNameError
        `device_type` is not a known kind, or `device_id` no number.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.Context('cpu', 1):
    ...     x = mx.nd.ones((2,))
    >>> x.context
    cpu(1)
    """

    __slots__ = ("_device", "device_id", "device_type", "device_typeid")

    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {name: number for number, name in devtype2str.items()}
    _instances: ClassVar[dict[tuple[str, int], Context]] = {}

    device_type: str
    device_id: int
    device_typeid: int
    _device: torch.device | None

    def __new__(cls, device_type: str | Context, device_id: int = 0) -> Self:
        """Return the one object for this device; contexts are compared by identity."""
        if isinstance(device_type, Context):
            return cls(device_type.device_type, device_type.device_id)
        try:
            key = (device_type, _number(device_id))
        except (TypeError, ValueError) as error:
            msg = (
                f"Context: device_id {device_id!r} was given. Expected the number of a device. "
                f"Write mx.cpu(0) or mx.gpu(1)."
            )
            raise ContextNameError(msg) from error
        found = cls._instances.get(key)
        if found is not None:
            return found  # type: ignore[return-value]
        if device_type not in cls.devstr2type:
            msg = (
                f"Context: device_type {device_type!r} is not known. Expected one of "
                f"{', '.join(map(repr, cls.devstr2type))}. Write mx.cpu() or mx.gpu(0)."
            )
            raise ContextNameError(msg)
        self = super().__new__(cls)
        self.device_type, self.device_id = key
        self.device_typeid = cls.devstr2type[device_type]
        self._device = None if device_type == "gpu" else torch.device("cpu")
        return cls._instances.setdefault(key, self)  # type: ignore[return-value]

    @classmethod
    def apart(cls, device: str) -> Context:
        """Return a context for rehearsals, apart from all others.

        With the device 'meta' its arrays have a shape and no elements.
        """
        self = super().__new__(cls)
        self.device_type, self.device_id, self.device_typeid = "cpu", REHEARSED, 1
        self._device = torch.device(device)
        return self

    @property
    def device(self) -> torch.device:
        """The torch device that stands behind the context.

        Raises
        ------
        ContextError
            The context is a GPU that this machine does not have.
        """
        if self._device is None:
            self._device = self._find_gpu()
        return self._device

    def _find_gpu(self) -> torch.device:
        count = num_gpus()
        if not 0 <= self.device_id < count:
            number = self.device_id
            either = f"mx.gpu({number}) if mx.context.num_gpus() > {number} else mx.cpu()"
            name = keyword("ctx")
            use = f"Use mx.cpu(), or {either}"
            if name:
                use = f"Write {name} = {either} where it is set"
            msg = (
                f"Context {self}: this machine offers {count} GPUs to gluonish"
                f"{'' if torch.version.cuda else ' (the installed torch has no CUDA)'}. "
                f"Expected {'a device number below that' if count else 'a CPU'}. {use}."
            )
            raise ContextError(msg)
        return torch.device("cuda", self.device_id)

    def empty_cache(self) -> None:
        """Give memory that is kept for the device, and unused, back to the system.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.cpu().empty_cache()
        """
        if self.device_type == "gpu":
            with torch.cuda.device(self.device):
                torch.cuda.empty_cache()
        else:
            heap.give_back()

    def __enter__(self) -> Self:
        _ambient.stack.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _ambient.stack.pop()

    @override
    def __reduce__(self) -> tuple[type[Context], tuple[str, int]]:
        return Context, (self.device_type, self.device_id)

    @override
    def __repr__(self) -> str:
        return f"{self.device_type}({self.device_id})"


_CPU0 = Context("cpu", 0)


def cpu(device_id: int = 0) -> Context:
    """Return a CPU context.

    Parameters
    ----------
    device_id : int, default 0
        Any number; all CPU contexts share one memory.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.cpu(), mx.cpu(1)
    (cpu(0), cpu(1))
    """
    return Context("cpu", device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Return the context of page-locked CPU memory, from which copies to a GPU are fast.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.cpu_pinned()
    cpu_pinned(0)
    """
    return Context("cpu_pinned", device_id)


def gpu(device_id: int = 0) -> Context:
    """Return a GPU context; whether the machine has it is checked when an array is put there.

    Parameters
    ----------
    device_id : int, default 0
        Number of the GPU, from 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gpu(1)
    gpu(1)
    """
    return Context("gpu", device_id)


def num_gpus() -> int:
    """Return how many CUDA devices torch can use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.context.num_gpus() >= 0
    True
    """
    return torch.cuda.device_count() if torch.cuda.is_available() else 0


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Return free and total memory of a GPU, in bytes.

    Raises
    ------
    ContextError
        There is no such GPU.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.context.gpu_memory_info(99)
    Traceback (most recent call last):
    ...
    gluonish.errors.ContextError: Context gpu(99): ...
    """
    free, total = torch.cuda.mem_get_info(gpu(device_id).device)
    return free, total


def current_context() -> Context:
    """Return the context of the innermost `with ctx:` block of this thread, by default `cpu(0)`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.current_context()
    cpu(0)
    """
    stack = _ambient.stack
    return stack[-1] if stack else _CPU0


def as_context(ctx: object, default: Context | None = None) -> Context:
    """Return what a `ctx` argument means: a context, its printed form, or None for the default.

    Raises
    ------
    ContextError
        It is something else.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.context.as_context('cpu(1)')
    cpu(1)
    """
    if isinstance(ctx, Context):
        return ctx
    if ctx is None:
        return current_context() if default is None else default
    if isinstance(ctx, str):
        kind, _, number = ctx.rstrip(")").partition("(")
        if kind in Context.devstr2type and (number.isdigit() or not number):
            return Context(kind, int(number or 0))
    how = "Write ctx=mx.cpu() or ctx=mx.gpu(0)."
    if isinstance(ctx, str) and (name := keyword("ctx")):
        kind, _, number = ctx.partition(":")
        kind = "gpu" if kind in ("cuda", "gpu") else "cpu"
        how = f"Write {name} = mx.{kind}({number if number.isdigit() else 0}) where it is set."
    if callable(ctx):
        called = f"mx.{getattr(ctx, '__name__', 'cpu')}()"
        name = keyword("ctx")
        how = f"Call it: write {f'{name} = {called} where it is set' if name else called}."
    if isinstance(ctx, (int, float)):
        how = (
            f"A shape is one tuple, as in {with_tuple('nd.zeros((2, 3))')}; a device "
            f"is ctx=mx.cpu() or mx.gpu(0)."
        )
    msg = f"ctx={ctx!r} was given. Expected a context. {how}"
    raise ContextError(msg)


def as_contexts(ctx: Contexts) -> list[Context]:
    """Return contexts as a list; the current one where none is given."""
    return [as_context(one) for one in ctx] if isinstance(ctx, (list, tuple)) else [as_context(ctx)]


def is_np_array() -> bool:
    """Return whether `npx.set_np()` is in force: gluon then creates `np.ndarray` objects.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.is_np_array()
    False
    """
    return _ambient.np_array


def is_np_shape() -> bool:
    """Return whether NumPy's shapes (scalars, empty arrays) are in force for new files.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.is_np_shape()
    False
    """
    return _ambient.np_shape


def ambient_key() -> tuple[Context | None, bool, bool]:
    """Return what this thread's surroundings add to a call, as a key: context and switches."""
    ambient = _ambient
    stack = ambient.stack
    return (stack[-1] if stack else None, ambient.np_array, ambient.np_shape)


def start_with_np_shape(shape: bool) -> None:
    """Set with which of the shapes new threads start, unless `npx.set_np()` says it."""
    if not _Ambient.default_np_array:
        _Ambient.default_np_shape = shape


def set_np_flags(*, shape: bool, array: bool, for_new_threads: bool) -> None:
    """Set both switches of `npx.set_np()` for this thread, and for threads yet to start."""
    _ambient.np_shape = shape
    _ambient.np_array = array
    if for_new_threads:
        _Ambient.default_np_shape = shape
        _Ambient.default_np_array = array
