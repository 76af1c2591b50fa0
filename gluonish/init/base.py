"""Initializer: fills an array according to its name, or as its subclass says."""

from __future__ import annotations

import inspect
import json
import logging
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.dtypes import writable
from gluonish.array.tensors import overwritten, plain
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingMethodError,
    MXNetError,
    RefusedArgumentError,
    UnknownArgumentError,
)
from gluonish.errors.program_recording import call_above
from gluonish.errors.program_text import names_of_objects
from gluonish.errors.suggestions import instead
from gluonish.errors.tracebacks import is_from_ours, users_level
from gluonish.init.registry import create

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

__all__ = ["InitDesc", "Initializer"]


class InitDesc(str):
    """Name of an array to fill, with what else is known of it.

    Parameters
    ----------
    name : str
        Name of the array.
    attrs : dict, optional
        Its attributes; `'__init__'` is the initializer of its own.
    global_init : Initializer, optional
        The initializer that is used for all arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.init.InitDesc('fc_weight', {'__init__': 'ones'})
    'fc_weight'
    """

    __slots__ = ("attrs", "global_init")

    attrs: Mapping[str, Any]
    global_init: Initializer | None

    def __new__(
        cls,
        name: str,
        attrs: Mapping[str, Any] | None = None,
        global_init: Initializer | None = None,
    ) -> Self:
        """Return the name with its attributes."""
        self = super().__new__(cls, name)
        self.attrs = attrs or {}
        self.global_init = global_init
        return self


class Initializer:
    """Base of initializers.

    A subclass defines `_init_weight(self, name, arr)`, which fills an array in place. It is used
    for arrays whose name ends in `weight`, and for every parameter that has the initializer as its
    own.

    Parameters
    ----------
    **kwargs
        Arguments of the constructor, for `dumps()`.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Countdown(mx.init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = mx.nd.arange(arr.size, 0, -1).reshape(arr.shape)
    >>> net = mx.gluon.nn.Dense(1, in_units=3)
    >>> net.initialize(Countdown())
    >>> print(net.weight.data().asnumpy())
    [[3. 2. 1.]]
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[Any], str] | None = None

    def __call__(self, desc: InitDesc | str, arr: NDArray) -> None:
        """Fill an array in place.

        Parameters
        ----------
        desc : InitDesc or str
            Its name. The ending decides: `weight` is filled by the initializer, `bias`, `beta` and
            `min` with 0, `gamma` and `max` with 1. An initializer in `desc.attrs['__init__']` is
            used whatever the name.
        arr : NDArray
            What to fill.

        Raises
        ------
        InvalidArgumentError
            The name ends in none of these.
        """
        if not isinstance(desc, InitDesc):
            self._legacy_init(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        own = desc.attrs.get("__init__", "")
        if not isinstance(own, str) or own:
            _fill_by(own, desc, arr)
            self._verbose_print(desc, str(own), arr)
            return
        for suffix, method in _BY_SUFFIX.items():
            if desc.endswith(suffix):
                _call_hook(self, method, desc, arr)
                self._verbose_print(desc, suffix, arr)
                return
        self._init_default(desc, arr)

    @override
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._kwargs == other._kwargs

    __hash__ = object.__hash__

    def dumps(self) -> str:
        """Return name and arguments as JSON text, which `create` reads.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.init.Normal(0.5).dumps()
        '["normal", {"sigma": 0.5}]'
        """
        return json.dumps([type(self).__name__.lower(), self._kwargs], default=_as_list)

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[Any], str] | None = None
    ) -> Self:
        """Choose whether each filled array is logged.

        Parameters
        ----------
        verbose : bool, default False
            Whether.
        print_func : callable, optional
            What to log of the array; by default its Euclidean norm over the root of its size.

        Returns
        -------
        Initializer
            Itself.
        """
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def _verbose_print(self, desc: str, init: str, arr: NDArray) -> None:
        if self._verbose and self._print_func is not None:
            logging.getLogger().info("Initialized %s as %s: %s", desc, init, self._print_func(arr))

    def _legacy_init(self, name: str, arr: NDArray) -> None:
        """Fill by the rules for plain names, which MXNet deprecated in 2016."""
        warnings.warn(
            "Calling initializer with init(str, NDArray) has been deprecated."
            "please use init(mx.init.InitDesc(...), NDArray) instead.",
            DeprecationWarning,
            stacklevel=users_level(),
        )
        _check_types(type(self).__name__, name, arr)
        for start, method in _BY_PREFIX.items():
            if name.startswith(start[0]) and name.endswith(start[1]):
                _call_hook(self, method, name, arr)
                return
        self._init_default(name, arr)

    # --- hooks, by the ending of the name ---------------------------------------------------

    def _init_weight(self, name: str, arr: NDArray) -> None:  # noqa: ARG002 - a hook
        own = getattr(type(self), "init_weight", None)
        how = "Define it" if own is None else "Give init_weight this name, with the underscore"
        msg = (
            f"{type(self).__name__}: no rule for weights was given ({name}). Expected a subclass "
            f"of Initializer that defines _init_weight(self, name, arr). {how}."
        )
        raise MissingMethodError(msg)

    def _init_zero(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)

    def _init_one(self, _: str, arr: NDArray) -> None:
        fill(arr, 1.0)

    def _init_bias(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)

    def _init_gamma(self, _: str, arr: NDArray) -> None:
        fill(arr, 1.0)

    def _init_beta(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)

    def _init_quantized_weight(self, _: str, arr: NDArray) -> None:
        quantized = onp.random.randint(-127, 127, size=arr.shape)  # noqa: NPY002 - as MXNet does
        fill(arr, quantized.astype("int8"))

    def _init_quantized_bias(self, _: str, arr: NDArray) -> None:
        fill(arr, 0.0)

    def _init_loc_bias(self, name: str, arr: NDArray) -> None:
        if arr.shape != (6,):
            msg = (
                f"{type(self).__name__}: an array {name!r} of shape {arr.shape} was given. "
                f"Expected the 6 numbers of an affine map. Pass an array of shape (6,)."
            )
            raise InvalidArgumentError(msg)
        fill(arr, onp.array([1.0, 0, 0, 0, 1.0, 0], onp.float32))

    def _init_bilinear(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) != 4:
            msg = (
                f"{type(self).__name__}: an array {str(name)!r} of shape {arr.shape} was given. "
                f"Expected 4 axes: filters, channels, height and width. Use it for the weight of a "
                f"2-D transposed convolution."
            )
            raise InvalidArgumentError(msg)
        height, width = arr.shape[2:]
        half = math.ceil(width / 2)
        centre = (2 * half - 1 - half % 2) / (2.0 * half)
        rows = 1 - onp.abs(onp.arange(height) / half - centre)
        columns = 1 - onp.abs(onp.arange(width) / half - centre)
        image = onp.outer(rows, columns).astype(onp.float32)
        fill(arr, onp.broadcast_to(image, arr.shape))

    def _init_default(self, name: str, _: NDArray) -> None:
        labels = {
            desc[0]
            for _, each in names_of_objects(lambda value: hasattr(type(value), "provide_label"))
            for desc in each.provide_label or ()
        }
        msg = (
            f"Unknown initialization pattern for {name}. Default initialization is now limited to "
            f'"weight", "bias", "gamma" (1.0), and "beta" (0.0). Expected a name that ends in one '
            f"of these, or an initializer of its own. Write params.get(name, init=...) or "
            f"mx.sym.Variable(init=mx.init.*)."
        )
        if name.endswith("label") or name in labels:
            names = f"label_names=[{name!r}]"
            line, call = call_above("Module", names) or (0, f"mx.mod.Module(..., {names})")
            msg = (
                f"Unknown initialization pattern for {name}, which is a label: labels are no "
                f"parameters. Expected its name among the label_names of the Module. Write {call}"
                f"{f', in line {line}' if line else ''}."
            )
        raise InvalidArgumentError(msg)


_BY_SUFFIX = {
    "weight": "_init_weight",
    "bias": "_init_bias",
    "gamma": "_init_gamma",
    "beta": "_init_beta",
    "min": "_init_zero",
    "max": "_init_one",
    "weight_quantize": "_init_quantized_weight",
    "bias_quantize": "_init_quantized_bias",
}
# Start and end of the names that the deprecated call knows, in the order in which it asks.
_BY_PREFIX = {
    ("upsampling", ""): "_init_bilinear",
    ("stn_loc", "weight"): "_init_zero",
    ("stn_loc", "bias"): "_init_loc_bias",
    ("", "bias"): "_init_bias",
    ("", "gamma"): "_init_gamma",
    ("", "beta"): "_init_beta",
    ("", "weight"): "_init_weight",
    ("", "moving_mean"): "_init_zero",
    ("", "moving_var"): "_init_one",
    ("", "moving_inv_var"): "_init_zero",
    ("", "moving_avg"): "_init_zero",
    ("", "min"): "_init_zero",
    ("", "max"): "_init_one",
}


def _check_types(where: str, name: object, arr: object) -> None:
    if isinstance(name, str) and isinstance(arr, NDArray):
        return
    msg = (
        f"{where}: {name!r} and {type(arr).__name__} were given; name must be string and arr must "
        f"be NDArray. Expected a name and an array to fill. Write "
        f"init(mx.init.InitDesc(name), array)."
    )
    raise DTypeError(msg)


def _call_hook(initializer: Initializer, hook: str, desc: str, arr: NDArray) -> None:
    """Call one of an initializer's methods, which programs override; explain what it must take."""
    try:
        getattr(initializer, hook)(desc, arr)
    except TypeError as error:
        trace = error.__traceback__
        if isinstance(error, MXNetError) or trace is None or trace.tb_next is not None:
            raise
        name = type(initializer).__name__
        msg = (
            f"{name}: {hook}() was called with a name and an array, which its signature, "
            f"{hook}{inspect.signature(getattr(type(initializer), hook))}, does not take. Expected "
            f"{hook}(self, name, arr). Write it so; what fills the array, as arr[:] = 1 does, "
            f"stays."
        )
        raise UnknownArgumentError(msg) from error


def _fill_by(own: Any, desc: InitDesc, arr: NDArray) -> None:
    """Fill an array by an initializer of its own, whatever the array's name."""
    try:
        initializer = create(own)
    except RefusedArgumentError as error:
        msg = f"Parameter '{desc}', init={own!r}: {error}"
        raise RefusedArgumentError(msg) from error
    if isinstance(initializer, Initializer):
        _call_hook(initializer, "_init_weight", desc, arr)
    else:
        fill_by(initializer, InitDesc(desc), arr)


def fill_by(initializer: Any, desc: InitDesc, arr: NDArray) -> None:
    """Fill an array by an initializer, its name, or a function in its place.

    Raises
    ------
    RefusedArgumentError
        There is no such initializer, or it is a function of something else.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.empty((2,))
    >>> mx.init.base.fill_by('ones', mx.init.InitDesc('fc_weight'), x)
    >>> print(x.asnumpy())
    [1. 1.]
    """
    found = create(initializer)
    try:
        found(desc, arr)
    except (TypeError, AttributeError, ValueError, RuntimeError) as error:
        if isinstance(found, Initializer) or isinstance(error, MXNetError):
            raise
        if not is_from_ours(error):
            raise
        name = getattr(found, "__name__", type(found).__name__)
        reason = str(error).partition("\n")[0].rstrip(".")
        how = instead(f"gluonish.init.{name}") or "Write mx.init.Xavier(), for example."
        msg = (
            f"initializer: {getattr(found, '__module__', '')}.{name} failed for a parameter's name "
            f"and array ({reason}). Expected an Initializer, or a function(name, array) that fills "
            f"the array. {how}"
        )
        raise RefusedArgumentError(msg) from error


def fill(arr: NDArray, values: Any) -> None:
    """Fill an array in place with a number, or with values of its shape, on any context."""
    if arr.stype != "default":
        dense = arr.tostype("default")
        fill(dense, values)
        arr[:] = dense
        return
    tensor = overwritten(arr)
    if isinstance(values, (int, float)):
        tensor.fill_(values)
        return
    source = plain(values) if isinstance(values, NDArray) else torch.from_numpy(writable(values))
    try:
        tensor.copy_(source)
    except RuntimeError as error:
        msg = (
            f"initializer: values of shape {tuple(source.shape)} were given for an array of shape "
            f"{arr.shape}. Expected the same shape, or one that broadcasts. Reshape the values."
        )
        raise InvalidArgumentError(msg) from error


def _as_list(value: Any) -> Any:
    return value.asnumpy().tolist() if isinstance(value, NDArray) else onp.asarray(value).tolist()


def _root_mean_square(arr: NDArray) -> str:
    values = arr.asnumpy()
    return str(onp.float32(onp.linalg.norm(values.ravel()) / math.sqrt(values.size)))
