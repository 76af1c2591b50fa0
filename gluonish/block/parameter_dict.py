"""ParameterDict: parameters by full name, with a prefix for new ones."""

from __future__ import annotations

import contextlib
import functools
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import init as initializers
from gluonish.array import NDArray
from gluonish.block.constant import Constant
from gluonish.block.parameter import Parameter
from gluonish.block.parameter_memory import array_of
from gluonish.block.partial_shapes import agree, partial
from gluonish.context import Context
from gluonish.errors import (
    InvalidArgumentError,
    MissingConstantError,
    MissingNameError,
    MXNetError,
    ParameterError,
    UnknownNameError,
)
from gluonish.errors.program_text import names_of_objects
from gluonish.errors.suggestions import did_you_mean, with_hints
from gluonish.errors.wording import listed
from gluonish.late import LateModule

if TYPE_CHECKING:
    import os
    from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView

    from gluonish.block import serialization, training_report
    from gluonish.context import Contexts
    from gluonish.errors import habits
else:
    habits = LateModule("gluonish.errors.habits")
    serialization = LateModule("gluonish.block.serialization")
    training_report = LateModule("gluonish.block.training_report")


@with_hints
class ParameterDict:
    """Parameters by full name, in the order of their creation.

    Parameters
    ----------
    prefix : str, default ''
        Put before the names of parameters that `get` creates.
    shared : ParameterDict, optional
        Where `get` looks for a parameter before it creates one.

    Examples
    --------
    >>> import gluonish as mx
    >>> params = mx.gluon.ParameterDict('net_')
    >>> params.get('weight', shape=(2, 3))
    Parameter net_weight (shape=(2, 3), dtype=<class 'numpy.float32'>)
    >>> list(params.keys())
    ['net_weight']
    """

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None) -> None:
        self._prefix = prefix
        self._params: OrderedDict[str, Parameter] = OrderedDict()
        self._shared = shared
        self._sought: tuple[str, tuple[str, ...]] | None = None

    @property
    def prefix(self) -> str:
        """What is put before the names of new parameters."""
        return self._prefix

    @override
    def __repr__(self) -> str:
        name = f"{self._prefix} " if self._prefix else ""
        lines = "\n".join(f"  {param!r}" for param in self.values())
        return f"{name}(\n{lines}\n)"

    def __getitem__(self, key: str) -> Parameter:
        try:
            return self._params[key]
        except KeyError as error:
            names = sorted(self._params)
            if not names:
                msg = (
                    f"ParameterDict {self._prefix!r}: {key!r} was asked for, and it is empty. "
                    f"Expected a name that it has: net.params holds a Block's own parameters, "
                    f"not those of its layers. Write net.collect_params()[{key!r}]."
                )
                raise MissingNameError(msg) from error
            msg = (
                f"ParameterDict {self._prefix!r}: no parameter is named {key!r}. Expected one of "
                f"{listed(map(repr, names)) or 'none'}. Print the dictionary to see all names."
                f"{_nearest_name(key, names)}"
            )
            raise MissingNameError(msg) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __contains__(self, key: object) -> bool:
        return key in self._params

    def __len__(self) -> int:
        return len(self._params)

    def items(self) -> ItemsView[str, Parameter]:
        """Return pairs of name and parameter."""
        return self._params.items()

    def keys(self) -> KeysView[str]:
        """Return the full names."""
        return self._params.keys()

    def values(self) -> ValuesView[Parameter]:
        """Return the parameters."""
        return self._params.values()

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """Return the parameter `prefix + name`, made with `kwargs` if there is none yet.

        Parameters
        ----------
        name : str
            Name without the prefix.
        **kwargs
            Arguments of `Parameter`; for one that exists they must agree with it.

        Raises
        ------
        ParameterError
            The parameter exists with other properties.

        Examples
        --------
        >>> import gluonish as mx
        >>> params = mx.gluon.ParameterDict('net_')
        >>> params.get('w', shape=(2, 0)) is params.get('w', shape=(2, 3))
        True
        """
        full = self._prefix + name
        param = self._find(full)
        if param is None:
            param = self._params[full] = Parameter(full, **kwargs)
            return param
        for key, value in kwargs.items():
            _reconcile(param, key, value)
        return param

    def get_constant(self, name: str, value: Any = None) -> Constant:
        """Return the constant `prefix + name`, made with `value` if there is none yet.

        Parameters
        ----------
        name : str
            Name without the prefix.
        value : NDArray, numpy.ndarray, list or number, optional
            The value; for a constant that exists it must be the same.

        Raises
        ------
        MissingConstantError
            There is no such constant and no value was given.
        ParameterError
            It exists with another value, or is no constant.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.gluon.ParameterDict('net_').get_constant('c', [1., 2.])
        Constant net_c (shape=(2,), dtype=<class 'numpy.float32'>)
        """
        full = self._prefix + name
        param = self._find(full)
        if param is None:
            if value is None:
                msg = (
                    f"No constant named {full!r}. Please specify value if you want to create a "
                    f"new constant."
                )
                raise MissingConstantError(msg)
            param = self._params[full] = Constant(full, value)
        if not isinstance(param, Constant):
            msg = (
                f"Parameter {full!r} already exists but it is not a constant. Expected a name that "
                f"is free. Choose another."
            )
            raise ParameterError(msg)
        if value is not None and not _same_values(param.value, value):
            msg = (
                f"Constant {full!r} already exists but its value doesn't match the one given. "
                f"Expected the same value. Choose another name."
            )
            raise ParameterError(msg)
        return param

    def _find(self, full: str) -> Parameter | None:
        if full in self._params:
            return self._params[full]
        if self._shared is not None:
            found = self._shared._find(full)
            if found is not None:
                self._params[full] = found
            return found
        return None

    def update(self, other: ParameterDict | Mapping[str, Parameter]) -> None:
        """Add all parameters of another dictionary.

        Raises
        ------
        ParameterError
            Different parameters have the same name.

        Examples
        --------
        >>> import gluonish as mx
        >>> a, b = mx.gluon.ParameterDict('a_'), mx.gluon.ParameterDict('b_')
        >>> w = a.get('w', shape=(1,))
        >>> b.update(a)
        >>> b['a_w'] is w
        True
        """
        for name, param in other.items():
            if self._params.get(name, param) is not param:
                msg = (
                    f"Cannot update self with other because they have different Parameters with "
                    f"the same name {name!r}. Expected one parameter for a name. Give the Blocks "
                    f"different prefixes."
                )
                raise ParameterError(msg)
        self._params.update(other.items())

    def follow_names(self) -> None:
        """Keep the parameters by the names that they have by now."""
        self._params = OrderedDict((param.name, param) for param in self.values())

    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters, in order; see `Parameter.initialize`.

        Parameters
        ----------
        init : Initializer or str, optional
            Used for parameters without their own; `Uniform()` by default.
        ctx : Context or list of Context, optional
            Where to put the parameters.
        verbose : bool, default False
            Whether the initializer logs what it does.
        force_reinit : bool, default False
            Whether to fill parameters that are initialized already.
        """
        default = initializers.Uniform() if init is None else init
        _check_initializer(default)
        if isinstance(init, str) and not all(param.is_shape_known() for param in self.values()):
            initializers.create(init)  # which parameters of unknown shape would do later
        if verbose:
            default = initializers.create(default)
            default.set_verbosity(verbose=verbose)
        for param in self.values():
            param.initialize(None, ctx, default, force_reinit=force_reinit)

    def zero_grad(self) -> None:
        """Set the gradients of all parameters to 0."""
        for param in self.values():
            param.zero_grad()

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move all parameters to other contexts."""
        for param in self.values():
            param.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """Return all contexts on which a parameter is, in order of first appearance."""
        return list(dict.fromkeys(ctx for param in self.values() for ctx in param.list_ctx()))

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute of every parameter; `report()` shows what is trained then.

        Warns
        -----
        UserWarning
            There is no parameter: nothing matched what `collect_params` was asked for.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=3)
        >>> net.collect_params().setattr('grad_req', 'null')
        >>> net.weight.grad_req
        'null'
        """
        if not self._params and self._sought is not None:
            training_report.warn_of_no_match(f"setattr({name!r}, {value!r})", *self._sought)
        for param in self.values():
            _check_attribute(param, name)
        for param in self.values():
            setattr(param, name, value)

    def report(self) -> training_report.TrainingReport:
        """Return a table of what is trained, and of what is frozen: has `grad_req='null'`.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.HybridSequential(prefix='net_')
        >>> with net.name_scope():
        ...     net.add(mx.gluon.nn.Dense(4, in_units=3), mx.gluon.nn.Dense(2, in_units=4))
        >>> net.initialize()
        >>> net.collect_params('.*dense0').setattr('grad_req', 'null')
        >>> net.collect_params().report()
        Parameter          Shape   grad_req  Numbers
        net_dense0_weight  (4, 3)  null           12
        net_dense0_bias    (4,)    null            4
        net_dense1_weight  (2, 4)  write           8
        net_dense1_bias    (2,)    write           2
        2 of 4 parameters are trained, 10 of 26 numbers (38%)
        """
        return training_report.TrainingReport(self.values())

    def note_search(self, pattern: str, names: Iterable[str]) -> None:
        """Keep what was sought among which names, to warn of it where nothing matches."""
        self._sought = pattern, tuple(names)

    def save(self, filename: str | os.PathLike[str], strip_prefix: str = "") -> None:
        """Write the values of all parameters to a file, by name.

        Parameters
        ----------
        filename : str or path
            Where to; `.safetensors` is written by that name, MXNet's container by any other.
        strip_prefix : str, default ''
            Removed from the start of the names.
        """
        serialization.save_parameter_dict(self, filename, strip_prefix)

    def load(
        self,
        filename: str | os.PathLike[str],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read the values of all parameters from a file.

        Parameters
        ----------
        filename : str or path
            A file that `save`, or MXNet, has written.
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized.
        allow_missing : bool, default False
            Whether parameters may be absent from the file.
        ignore_extra : bool, default False
            Whether the file may hold others.
        restore_prefix : str, default ''
            Put before the names in the file.
        cast_dtype : bool, default False
            Whether values of another dtype are cast.
        dtype_source : {'current', 'saved'}, default 'current'
            Which dtype wins if `cast_dtype`.
        """
        serialization.load_parameter_dict(
            self, filename, ctx, allow_missing, ignore_extra, restore_prefix, cast_dtype,
            dtype_source,
        )  # fmt: skip

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: str | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Take the values of all parameters from a dictionary of arrays; see `load`.

        `filename` is named in errors.
        """
        serialization.load_parameter_dict(
            self, param_dict, ctx, allow_missing, ignore_extra, restore_prefix, cast_dtype,
            dtype_source, filename,
        )  # fmt: skip


def _reconcile(param: Parameter, key: str, value: Any) -> None:
    """Check a property that `get` was given against that of a parameter that exists."""
    stored = getattr(param, key, None)
    if stored is None:
        if hasattr(param, key):
            setattr(param, key, value)
        return
    if value is None or key == "init":
        return
    if key == "shape":
        wanted = partial(value)
        if param._shape is not None and agree(param._shape, wanted):
            param._shape = tuple(
                new if old is None else old for old, new in zip(param._shape, wanted, strict=True)
            )
            return
    elif value == stored:
        return
    own = param.name.rpartition("_")[2]
    msg = (
        f"Cannot retrieve Parameter {param.name!r} because desired attribute does not match with "
        f"stored for attribute {key!r}: desired '{value}' vs stored '{stored}'. Expected the same. "
        f"Give what was meant as another parameter another name, as in self.params.get('{own}2', "
        f"...); layers that share parameters by params= need the same sizes."
    )
    raise ParameterError(msg)


def _same_values(stored: NDArray, value: Any) -> bool:
    given = value if isinstance(value, NDArray) else array_of(value)
    return given.shape == stored.shape and bool((given.asnumpy() == stored.asnumpy()).all())


def _nearest_name(key: object, names: list[str]) -> str:
    """Return a question for the nearest name, or one that ends so, with a space before it."""
    if not isinstance(key, str):
        return " Parameters have names, no numbers: list(params.values())[0] is the first."
    kind = "_collect_params_with_prefix"
    for net, block in names_of_objects(lambda held: hasattr(type(held), kind)):
        found = None
        with contextlib.suppress(MXNetError, AttributeError):  # of one that is not constructed
            found = getattr(block, kind)().get(key)
        if found is not None and found.name in names:  # as files name it
            parts = [f"[{part}]" if part.isdigit() else f".{part}" for part in key.split(".")]
            return f" Write {found.name!r}, or {net}{''.join(parts)}, the same parameter."
    ends = [name for name in names if name.endswith(f"_{key}")]
    return f" Did you mean {ends[0]!r}?" if ends else did_you_mean(key, names)


def _check_initializer(init: object) -> None:
    """Refuse what is no initializer, before parameters of unknown shape keep it for later.

    Raises
    ------
    InvalidArgumentError
        It is a context, or a class.
    """
    if isinstance(init, Context):
        msg = (
            f"initialize: init={init!r} was given. Expected an initializer first. Write "
            f"initialize(ctx=mx.{init!r})."
        )
    elif isinstance(init, type):
        msg = (
            f"initialize: init=<class {init.__name__}> was given. Expected an initializer, "
            f"an object of such a class. Write initialize(mx.init.{init.__name__}())."
        )
    else:
        return
    raise InvalidArgumentError(msg)


def _check_attribute(param: Parameter, name: str) -> None:
    """Refuse attributes whose names are those of a parameter's, but for a slip.

    Raises
    ------
    UnknownNameError
        There is a name that is nearly the same.
    """
    if hasattr(param, name):
        return
    known = habits.ATTRIBUTES["Parameter"].get(name)
    hint = did_you_mean(name, [each for each in dir(param) if not each.startswith("_")])
    if hint or known:
        hint = hint if known is None else f" {known}."
        text = f" Expected one such as grad_req, lr_mult, wd_mult.{hint}"
        raise UnknownNameError(name, f"Parameter {param.name!r}", functools.partial(str, text))
