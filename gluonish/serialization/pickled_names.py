"""What the names in pickles of optimizer states stand for: arrays, numbers and plain records."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias, cast

import numpy as onp
import torch

from gluonish.serialization import container
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.elements import MAX_NDIM, shape_problem
from gluonish.serialization.pickles import Global, Value, fail
from gluonish.serialization.views import PartStream

if TYPE_CHECKING:
    from torch import Tensor

Names: TypeAlias = Collection[tuple[str, str]]


def _named(modules: Iterable[str], *names: str) -> set[Global]:
    return {Global(module, name) for module in modules for name in names}


_BUILTINS: Final = ("builtins", "__builtin__")  # of Python 3 and 2
_COPYREG: Final = ("copyreg", "copy_reg")
_ARRAYS: Final = (
    _named(("mxnet.ndarray", "mxnet.ndarray.sparse"), "RowSparseNDArray", "CSRNDArray")
    | _named(("mxnet.ndarray", "mxnet.ndarray.ndarray"), "NDArray")
    | _named(("mxnet.numpy", "mxnet.numpy.multiarray"), "ndarray")
)
_BYTES: Final = _named(_BUILTINS, "bytearray", "bytes")
_ENCODE: Final = Global("_codecs", "encode")
_OBJECTS: Final = _named(_BUILTINS, "object")
_NEW: Final = _named(_COPYREG, "__newobj__")
_RECONSTRUCT: Final = _named(_COPYREG, "_reconstructor")
_ORDERED: Final = Global("collections", "OrderedDict")
_DEFAULT: Final = Global("collections", "defaultdict")
_FACTORIES: Final = _named(_BUILTINS, "int", "float", "list", "dict", "str", "tuple", "bool")
_NUMPY_DTYPE: Final = Global("numpy", "dtype")
_NUMPY_ARRAY: Final = Global("numpy", "ndarray")
_SCALARS: Final = _named(("numpy.core.multiarray", "numpy._core.multiarray"), "scalar")
_NUMPY_NEW: Final = _named(("numpy.core.multiarray", "numpy._core.multiarray"), "_reconstruct")
_NUMPY_BUFFER: Final = _named(("numpy.core.numeric", "numpy._core.numeric"), "_frombuffer")
_KNOWN: Final = (
    _ARRAYS
    | _BYTES
    | _OBJECTS
    | _NEW
    | _RECONSTRUCT
    | _FACTORIES
    | _SCALARS
    | _NUMPY_NEW
    | _NUMPY_BUFFER
    | {_ENCODE, _ORDERED, _DEFAULT, _NUMPY_DTYPE, _NUMPY_ARRAY}
)
_SYMBOLS: Final = {Global("mxnet.symbol", "Symbol"), Global("mxnet.symbol.symbol", "Symbol")}
_LIBRARIES: Final = ("gluoncv", "gluonnlp", "gluonts")
_LATIN1: Final = ("latin1", "latin-1")
_NUMPY_KINDS: Final = "biuf"


@dataclass(eq=False, slots=True)
class Record:
    """An object of a class that is named in a pickle: its name and its attributes.

    Attributes
    ----------
    module, name : str
        Where the class was.
    attributes : dict of str to object
        What it held.
    """

    module: str
    name: str
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class PickledArray:
    """An array of MXNet or NumPy; without a tensor until its values are met."""

    tensor: Tensor | None = None
    is_numpy: bool = False
    is_np: bool = False


@dataclass(eq=False, slots=True)
class _Dtype:
    """A dtype of NumPy: its code, such as `'f8'`, and the order of its bytes."""

    code: str
    order: str = "<"

    @property
    def full(self) -> onp.dtype[Any]:
        return onp.dtype(self.order + self.code)


class States:
    """The world of pickled optimizer states.

    Parameters
    ----------
    source : str
        Name of the file, for messages.
    size : int
        Its length; all arrays together hold no more bytes.
    own : collection of (str, str)
        Modules and names of classes that are known to the program, for optimizers and schedules
        of its own.
    """

    def __init__(self, source: str, size: int, own: Names) -> None:
        self._source = source
        self._left = size
        self._own = {Global(*one) for one in own}

    def find(self, name: Global) -> Global:
        """Return the name if it is known; see `World`."""
        if name in _KNOWN or self._is_class(name):
            return name
        return fail(
            f"it names {name.text!r}; expected only MXNet's arrays, optimizers and learning rate "
            f"schedules, and those that this program has registered"
        )

    def call(self, name: object, args: object) -> Value:
        """Return what a call gives, of the few functions that describe data; see `World`."""
        if isinstance(name, Global) and type(args) is tuple:
            if name in _ARRAYS and args == (None,):
                return _array(name)
            if name in _BYTES or name == _ENCODE:
                return _bytes(args, name)
            if name in _RECONSTRUCT and len(args) == 3 and args[2] is None:
                return self.new(args[0], ())
            if name in _NEW and args:
                return self.new(args[0], args[1:])
            if name == _ORDERED:
                return _ordered(args)
            if name == _DEFAULT and (not args or _is(args[0], _FACTORIES)):
                return {}
            if name == _NUMPY_DTYPE and args and type(args[0]) is str:
                return _dtype(args[0])
            if name in _SCALARS and len(args) == 2:
                return _scalar(*args)
            if name in _NUMPY_NEW and args and _is(args[0], {_NUMPY_ARRAY}):
                return PickledArray(is_numpy=True)
            if name in _NUMPY_BUFFER and len(args) == 4:
                data, dtype, shape, order = args
                made = PickledArray(is_numpy=True)
                self._build_numpy(made, (1, shape, dtype, order == "F", data))
                return made
        shown = name.text if isinstance(name, Global) else type(name).__name__
        return fail(
            f"it calls {shown!r}; expected only what builds arrays, numbers and dictionaries, as "
            f"MXNet writes them"
        )

    def new(self, name: object, args: object) -> Value:
        """Return a record of a class, or an array without values; see `World`."""
        if isinstance(name, Global) and args == ():
            if name in _ARRAYS:
                return _array(name)
            if name == _ORDERED:
                return {}
            if self._is_class(name):
                return Record(name.module, name.name)
        shown = name.text if isinstance(name, Global) else type(name).__name__
        return fail(f"it makes an object of {shown!r}; expected an array, optimizer or schedule")

    def build(self, made: object, state: object) -> None:
        """Give an array its values, or a record its attributes; see `World`."""
        if isinstance(made, PickledArray) and made.tensor is None:
            if made.is_numpy:
                self._build_numpy(made, state)
            else:
                self._build_array(made, state)
        elif isinstance(made, _Dtype) and type(state) is tuple and len(state) > 1:
            if type(state[1]) is not str or state[1] not in ("<", ">", "|", "="):
                fail("the order of bytes in a dtype is damaged; expected '<' or '>'")
            made.order = state[1]
        elif isinstance(made, Record) and type(state) is dict:
            if not all(type(key) is str for key in state):
                fail(f"attributes of {made.name[:60]!r} have numbers for names; expected text")
            made.attributes = state
        else:
            fail(
                f"a value of type {type(made).__name__} is given a state of type "
                f"{type(state).__name__}; expected arrays, optimizers and schedules, each once"
            )

    def _is_class(self, name: Global) -> bool:
        if name in self._own or name in _SYMBOLS:
            return True
        if not name.name.isidentifier():
            return False
        first, _, rest = name.module.partition(".")
        if first == "mxnet":
            return rest.split(".")[0] in ("optimizer", "lr_scheduler")
        return name.module == "__main__" or first in _LIBRARIES

    def _build_array(self, made: PickledArray, state: object) -> None:
        handle = state.get("handle") if type(state) is dict else None
        if not isinstance(handle, (bytes, memoryview)):
            fail(f"an NDArray holds {type(handle).__name__}; expected the bytes of its record")
        self._take(len(handle))
        view = memoryview(handle)
        stream = PartStream(lambda start, end: view[start:end], len(view))
        cursor = Cursor(cast("BinaryIO", stream), len(view), self._source)
        cursor.label = "array"
        made.tensor = container.read_record(cursor)

    def _build_numpy(self, made: PickledArray, state: object) -> None:
        if type(state) is not tuple or len(state) != 5:
            fail("a NumPy array has no shape, dtype and values; expected all of them")
        _, shape, dtype, is_fortran, data = state
        if isinstance(data, str):
            data = data.encode("latin-1", "replace")
        if not isinstance(dtype, _Dtype) or not isinstance(data, (bytes, memoryview)):
            fail("a NumPy array is not one of numbers; expected numbers")
        if type(shape) is not tuple or not _is_shape(shape):
            fail(f"the shape of a NumPy array is damaged; expected up to {MAX_NDIM} dimensions")
        problem = shape_problem(shape, torch.complex128)
        if problem is not None:
            fail(problem)
        expected = math.prod(shape) * dtype.full.itemsize
        if expected != len(data):
            fail(
                f"a NumPy array of shape {shape} has {len(data)} bytes of values; "
                f"expected {expected}"
            )
        self._take(len(data))
        array = onp.frombuffer(data, dtype.full).reshape(shape, order="F" if is_fortran else "C")
        native = array.astype(dtype.full.newbyteorder("="), order="C", copy=True)
        made.tensor = torch.from_numpy(native)

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            fail("its arrays take more bytes than the file has; expected each array once")


def _array(name: Global) -> PickledArray:
    return PickledArray(is_np=name.name == "ndarray")


def _bytes(args: tuple[Any, ...], name: Global) -> bytes | memoryview:
    if not args:
        return b""
    first = args[0]
    if isinstance(first, (bytes, memoryview)) and len(args) == 1:
        return first
    if type(first) is str and (args[1:] == () or args[1:] in ((one,) for one in _LATIN1)):
        try:
            return first.encode("latin-1")
        except UnicodeEncodeError:
            pass
    return fail(f"{name.text!r} is called with something else than bytes; expected bytes")


def _ordered(args: tuple[Any, ...]) -> dict[Any, Any]:
    pairs = args[0] if args else ()
    if len(args) > 1 or type(pairs) not in (list, tuple) or not all(map(_is_pair, pairs)):
        fail("an OrderedDict is made of something else than pairs; expected pairs")
    return dict(pairs)


def _is_pair(pair: object) -> bool:
    if not isinstance(pair, (list, tuple)):
        return False
    return len(pair) == 2 and type(pair[0]) in (int, str)


def _dtype(code: str) -> _Dtype:
    if len(code) == 2 and code[0] in _NUMPY_KINDS and code[1] in "1248":
        try:
            onp.dtype(code)
        except TypeError:
            pass
        else:
            return _Dtype(code)
    return fail(f"the dtype of a NumPy array is {code[:20]!r}; expected a number's, such as 'f4'")


def _scalar(dtype: object, data: object) -> Value:
    if isinstance(data, str):
        data = data.encode("latin-1", "replace")
    if (
        not isinstance(dtype, _Dtype)
        or not isinstance(data, (bytes, memoryview))
        or len(data) != dtype.full.itemsize
    ):
        fail("a NumPy number is damaged; expected its dtype and its bytes")
    return onp.frombuffer(data, dtype.full)[0].item()


def _is_shape(shape: tuple[Any, ...]) -> bool:
    return len(shape) <= MAX_NDIM and all(type(dim) is int and dim >= 0 for dim in shape)


def _is(value: object, names: Collection[Global]) -> bool:
    return isinstance(value, Global) and value in names
