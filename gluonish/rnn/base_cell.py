"""BaseRNNCell: one step of a recurrent network as Symbols, and the loop over steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gluonish import ndarray as nd, symbol as sym
from gluonish.errors import MissingMethodError, ModuleStateError, RefusedArgumentError
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray

    Inputs: TypeAlias = Symbol | Sequence[Symbol]

__all__ = ["BaseRNNCell", "RNNParams"]


_KINDS = ("weight", "bias")


class Unrolling(NamedTuple):
    """What `unroll` was given."""

    length: int
    inputs: Inputs
    begin_state: list[Any] | None
    layout: str
    merge_outputs: bool | None


class RNNParams:
    """Variables that cells share, made when they are asked for.

    Parameters
    ----------
    prefix : str
        What their names begin with.

    Examples
    --------
    >>> import gluonish as mx
    >>> params = mx.rnn.RNNParams('lstm_')
    >>> params.get('weight')
    <Symbol lstm_weight>
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Symbol] = {}

    def get(self, name: str, **kwargs: Any) -> Symbol:
        """Return a variable; a new one takes the other arguments of `Variable`."""
        full = self._prefix + name
        if full not in self._params:
            self._params[full] = sym.Variable(full, **kwargs)
        return self._params[full]


class BaseRNNCell:
    """Base of cells: what maps the data of one step and states to an output and new states.

    A subclass defines `__call__(inputs, states)` and `state_info`, and `_gate_names` if its weights
    are those of several gates.

    Parameters
    ----------
    prefix : str
        What names begin with.
    params : RNNParams, optional
        Variables of another cell to share.
    """

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Begin to count steps and states anew."""
        self._init_counter = -1
        self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Return the output and the new states of one step.

        Parameters
        ----------
        inputs : Symbol
            Data of the step, of shape (batch, features).
        states : list of Symbol
            The states before it.
        """
        self._lacks("__call__(inputs, states)")
        return inputs, states

    @property
    def params(self) -> RNNParams:
        """Its variables, to be shared."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        self._lacks("the property state_info")
        return []

    @property
    def state_shape(self) -> list[tuple[int, ...]]:
        """The shape of each state; 0 stands for the length of a batch."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        """What the names of gates end with."""
        return ()

    def begin_state(self, func: Callable[..., Symbol] | None = None, **kwargs: Any) -> list[Any]:
        """Return the states before the first step.

        Parameters
        ----------
        func : callable, optional
            Makes a state, of `name` and `shape`; `mx.sym.zeros` by default. With
            `mx.sym.Variable` states are arguments of the graph.
        **kwargs
            More arguments for it.
        """
        self._check_unmodified()
        make = sym.zeros if func is None else func
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(make(name=name, **{**kwargs, **(info or {})}))
        return states

    def _check_unmodified(self) -> None:
        if self._modified:
            msg = (
                f"{type(self).__name__}: After applying modifier cells (e.g. DropoutCell) the "
                f"base cell cannot be called directly. Call the modifier cell instead."
            )
            raise ModuleStateError(msg)

    # --- weights ----------------------------------------------------------------------------

    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Return parameters with the weights of each gate on their own.

        Parameters
        ----------
        args : dict of str to NDArray
            Parameters, those of other operators among them.
        """
        found = dict(args)
        for group in self._groups():
            start = f"{self._prefix}{group}"
            wholes = {kind: found.pop(f"{start}_{kind}") for kind in _KINDS}
            for position, gate in enumerate(self._gate_names):
                for kind, whole in wholes.items():
                    length = whole.shape[0] // len(self._gate_names)
                    part = whole[position * length : (position + 1) * length]
                    found[f"{start}{gate}_{kind}"] = part.copy()
        return found

    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Return parameters with the weights of all gates together: undo `unpack_weights`.

        Parameters
        ----------
        args : dict of str to NDArray
            Parameters, those of other operators among them.
        """
        found = dict(args)
        for group in self._groups():
            start = f"{self._prefix}{group}"
            parts = {
                kind: [found.pop(f"{start}{gate}_{kind}") for gate in self._gate_names]
                for kind in _KINDS
            }
            for kind, arrays in parts.items():
                found[f"{start}_{kind}"] = nd.concat(*arrays, dim=0)
        return found

    def _groups(self) -> tuple[str, ...]:
        return ("i2h", "h2h") if self._gate_names else ()

    # --- steps ------------------------------------------------------------------------------

    def unroll(
        self,
        length: int,
        inputs: Inputs,
        begin_state: list[Any] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Any]]:
        """Return outputs and last states of several steps.

        Parameters
        ----------
        length : int
            The number of steps.
        inputs : Symbol or list of Symbol
            Data of all steps, of shape (batch, steps, features) for layout 'NTC'; or of each.
        begin_state : list of Symbol, optional
            The states before the first step; `begin_state()` by default.
        layout : {'NTC', 'TNC'}
            Which axis is that of the steps.
        merge_outputs : bool, optional
            Whether the outputs of all steps are one Symbol, a list, or either.
        """
        self.reset()
        return self._unroll(Unrolling(length, inputs, begin_state, layout, merge_outputs))

    def _unroll(self, given: Unrolling) -> tuple[Any, list[Any]]:
        steps = separate(given.length, given.inputs, given.layout)
        states = self._begin(given)
        outputs = []
        for step in steps:
            output, states = self(step, states)
            outputs.append(output)
        if given.merge_outputs:
            return merged(outputs, given.layout), states
        return outputs, states

    def _begin(self, given: Unrolling) -> list[Any]:
        return self.begin_state() if given.begin_state is None else given.begin_state

    def _get_activation(self, inputs: Symbol, activation: Any, **kwargs: Any) -> Symbol:
        """Return an activation, by its name or by a function."""
        if isinstance(activation, str):
            found: Symbol = sym.Activation(inputs, act_type=activation, **kwargs)
            return found
        result: Symbol = activation(inputs, **kwargs)
        return result

    def _lacks(self, what: str) -> None:
        msg = (
            f"{type(self).__name__}: it has no {what}. Expected a subclass of BaseRNNCell that "
            f"defines it. Define it in the class."
        )
        raise MissingMethodError(msg)


def time_axis(layout: str) -> int:
    """Return which axis is that of the steps.

    Raises
    ------
    RefusedArgumentError
        There is none.
    """
    axis = layout.find("T")
    if axis not in (0, 1):
        msg = f"unroll: layout={layout!r} was given. Expected 'NTC' or 'TNC'. Write layout='NTC'."
        raise RefusedArgumentError(msg)
    return axis


def separate(length: int, inputs: Inputs, layout: str) -> list[Symbol]:
    """Return the data of each step.

    Raises
    ------
    RefusedArgumentError
        There are more or fewer than there are steps.
    """
    axis = time_axis(layout)
    if isinstance(inputs, Symbol):
        squeezed: Any = 1  # as MXNet writes it
        if len(inputs) != 1:
            msg = (
                f"unroll: a Symbol with {len(inputs)} outputs was given; unroll doesn't allow "
                f"grouped symbol as input. Please convert to list with list(inputs) first or let "
                f"unroll handle splitting."
            )
            raise RefusedArgumentError(msg)
        return list(sym.split(inputs, axis=axis, num_outputs=length, squeeze_axis=squeezed))
    if len(inputs) != length:
        msg = (
            f"unroll: data of {len(inputs)} steps was given for length={length}. Expected one "
            f"Symbol for each step. Pass length={len(inputs)}."
        )
        raise RefusedArgumentError(msg)
    return list(inputs)


def merged(outputs: Inputs, layout: str) -> Symbol:
    """Return the data of all steps as one Symbol."""
    if isinstance(outputs, Symbol):
        return outputs
    axis = time_axis(layout)
    found: Symbol = sym.Concat(*[sym.expand_dims(x, axis=axis) for x in outputs], dim=axis)
    return found


def either(length: int, inputs: Inputs, layout: str, *, merge: bool | None) -> Any:
    """Return data of steps as one Symbol, as a list, or as it is."""
    if merge is None:
        return inputs
    return merged(inputs, layout) if merge else separate(length, inputs, layout)
