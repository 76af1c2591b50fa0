"""Loops and branches in graphs: `mx.sym.contrib.foreach`, `while_loop` and `cond`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import name as naming
from gluonish.attribute import AttrScope
from gluonish.errors import InvalidArgumentError, RefusedArgumentError, SymbolNameError
from gluonish.errors.doors import door
from gluonish.ndarray.control_flow import iterations, no_variables
from gluonish.ndarray.nested import flatten, regroup
from gluonish.symbol import attributes
from gluonish.symbol.cutting import KEY, Inner, Inputs, Scope, unique_name
from gluonish.symbol.frontend import by_path, compose
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.subgraph_files import texts_of
from gluonish.symbol.subgraphs import Cond, Foreach, WhileLoop
from gluonish.symbol.symbol import Symbol
from gluonish.symbol.variables import var

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.symbol.subgraphs import ControlFlow


@door
def foreach(body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach") -> Any:
    """Run a graph with each slice of arrays along their first axis, and with states.

    Parameters
    ----------
    body : callable
        `body(slice, states)` returns outputs and the new states. It is called once.
    data : Symbol or nested list of Symbol
        What is cut into slices.
    init_states : Symbol or nested list of Symbol
        The first states; may be an empty list.
    name : str, default 'foreach'
        What the nodes of the inner graph are marked with.

    Returns
    -------
    outputs : Symbol or nested list of Symbol
        The outputs of all steps, stacked along a new first axis.
    states : Symbol or nested list of Symbol
        The last states.

    Raises
    ------
    OperandError
        Data, states or outputs are no Symbols.
    RefusedArgumentError
        The body does not use all data and states, or returns other states than it gets.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, s = mx.sym.var('x'), mx.sym.var('s')
    >>> sums, last = mx.sym.contrib.foreach(lambda d, s: (d + s, d + s), x, s)
    >>> sums.eval(x=mx.nd.array([[1, 2], [3, 4]]), s=mx.nd.zeros((2,)))[0].asnumpy().tolist()
    [[1.0, 2.0], [4.0, 6.0]]
    """
    given, form = flatten(data, Symbol, "foreach input")
    states, form_of_states = flatten(init_states, Symbol, "foreach states")
    symbols = [*given, *states]
    marked = unique_name(name)
    with AttrScope(**{KEY: marked}):
        own = _variables(symbols)
        outputs, new = body(
            regroup(own[: len(given)], form), regroup(own[len(given) :], form_of_states)
        )
        outputs, form_of_outputs = flatten(outputs, Symbol, "foreach output")
        new, form_of_new = flatten(new, Symbol, "foreach loop_vars")
        if form_of_new != form_of_states:
            msg = (
                f"foreach: states nested like {form_of_states} became {form_of_new}. The input and "
                f"output loop_vars have different format. Return the states as they were given."
            )
            raise RefusedArgumentError(msg)
        inner = _inner(marked, own, outputs, new)
    _check_used(inner, len(given), len(symbols))
    inputs = Inputs([_entry(symbol) for symbol in symbols])
    for position in range(len(symbols)):
        inputs.place(position)
    function = Foreach(inner.graph, inputs.places(inner), len(given), len(states))
    found = _symbols(function, inputs, symbols)
    count = len(outputs)
    return regroup(found[:count], form_of_outputs), regroup(found[count:], form_of_states)


@door
def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> Any:
    """Run a graph with variables that it replaces, as long as a condition holds.

    Parameters
    ----------
    cond : callable
        `cond(*loop_vars)` returns a Symbol of one element. It is called once.
    func : callable
        `func(*loop_vars)` returns outputs (may be None or []) and the new variables. It is called
        once.
    loop_vars : Symbol or nested list of Symbol
        The first variables.
    max_iterations : int
        How often the graph is run at most.
    name : str, default 'while_loop'
        What the nodes of the inner graphs are marked with.

    Returns
    -------
    outputs : Symbol or nested list of Symbol
        The outputs of all steps, stacked along a new first axis of length `max_iterations`; rows
        of steps that did not take place are 0.
    loop_vars : Symbol or nested list of Symbol
        The last variables.

    Raises
    ------
    InvalidArgumentError
        `max_iterations` is missing or less than 1, there are no variables, their number changes,
        or one of them is not used.
    OperandError
        Variables or outputs are no Symbols.
    SymbolNameError
        The condition is no Symbol.

    Examples
    --------
    >>> import gluonish as mx
    >>> i = mx.sym.var('i')
    >>> squares, last = mx.sym.contrib.while_loop(
    ...     lambda i: i < 3, lambda i: (i * i, i + 1), i, max_iterations=4)
    >>> squares.eval(i=mx.nd.array([0]))[0].asnumpy().tolist()
    [[0.0], [1.0], [4.0], [0.0]]
    """
    count = iterations(max_iterations)
    if count < 1:
        msg = (
            f"while_loop: max_iterations={count} was given. value {count} for Parameter "
            f"max_iterations should be greater equal to 1. Pass how many steps there may be."
        )
        raise InvalidArgumentError(msg)
    symbols, form = flatten(loop_vars, Symbol, "while loop_vars")
    if not symbols:
        raise no_variables()
    condition = _condition(cond, symbols, form, unique_name(f"{name}_cond"))
    marked = unique_name(f"{name}_func")
    with AttrScope(**{KEY: marked}):
        own = _variables(symbols)
        outputs, new = func(*_as_arguments(own, form))
        outputs, form_of_outputs = flatten(
            [] if outputs is None else outputs, Symbol, "while output"
        )
        new, _ = flatten(new, Symbol, "while loop_vars")
        if len(new) != len(symbols):
            msg = (
                f"while_loop: func returned {len(new)} variables for {len(symbols)}. The number of "
                f"loop_vars should be consistent during the loop. Return one for each."
            )
            raise InvalidArgumentError(msg)
        inner = _inner(marked, own, [*outputs, *new])
    for position in range(len(symbols)):
        if position not in inner.inputs:
            msg = (
                f"while_loop: The {position + 1}-th loop_var doesn't involve into the computation "
                f"of func. Expected one that does. Return it unchanged, or leave it out."
            )
            raise InvalidArgumentError(msg)
    inputs = Inputs([_entry(symbol) for symbol in symbols])
    sources = [inputs.places(condition), inputs.places(inner)]
    variables = [inputs.place(position) for position in range(len(symbols))]
    function = WhileLoop(condition.graph, inner.graph, sources, variables, count)
    found = _symbols(function, inputs, symbols)
    return (
        regroup(found[: len(outputs)], form_of_outputs),
        regroup(found[len(outputs) :], form),
    )


@door
def cond(
    pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond"
) -> Any:
    """Run one of two graphs.

    Parameters
    ----------
    pred : Symbol
        A single value: whether the first one is run.
    then_func, else_func : callable
        Functions without parameters that return as many Symbols. Both are called once.
    name : str, default 'cond'
        What the nodes of the inner graphs are marked with.

    Returns
    -------
    Symbol or nested list of Symbol
        What the graph that is run makes, nested as `then_func` returned it.

    Raises
    ------
    InvalidArgumentError
        The functions do not return as many Symbols.
    OperandError
        Something is no Symbol.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> absolute = mx.sym.contrib.cond(x < 0, lambda: -x, lambda: x)
    >>> absolute.eval(x=mx.nd.array([-2]))[0].asnumpy().tolist()
    [2.0]
    """
    parts: list[tuple[Inner, Any]] = []
    branches = {"pred": pred, "then": then_func, "else": else_func}
    for kind, branch in branches.items():
        marked = unique_name(f"{name}_{kind}")
        with AttrScope(**{KEY: marked}):
            made = branch if kind == "pred" else branch()
            outputs, form = flatten(made, Symbol, "cond outputs")
            parts.append((_inner(marked, [], outputs), form))
    (condition, _), (then, form), (otherwise, _) = parts
    counts = [len(part.graph.entries) for part in (condition, then, otherwise)]
    if counts[0] != 1:
        msg = f"cond: pred has {counts[0]} outputs. Expected a single one. Pass pred[0]."
        raise InvalidArgumentError(msg)
    if counts[1] != counts[2]:
        msg = (
            f"cond: {counts[1]} and {counts[2]} Symbols were returned. Number of outputs differs "
            f"between then-branch and else-branch. Return as many from both."
        )
        raise InvalidArgumentError(msg)
    inputs = Inputs()
    sources = [inputs.places(part) for part in (condition, then, otherwise)]
    op = Cond(condition.graph, then.graph, otherwise.graph, sources)
    return regroup(_symbols(op, inputs, [pred]), form)


def _variables(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return what stands for Symbols in a subgraph."""
    found = []
    taken: set[str] = set()
    for symbol in symbols:
        node, position = _entry(symbol)
        name = f"{node.name}-{position}"
        while name in taken:
            name += "-0"
        taken.add(name)
        found.append(type(symbol)(var(name).entries))
    return found


def _condition(cond: Callable[..., Any], symbols: Sequence[Symbol], form: Any, name: str) -> Inner:
    with AttrScope(**{KEY: name}):
        own = _variables(symbols)
        result = cond(*_as_arguments(own, form))
        if not isinstance(result, Symbol):
            msg = (
                f"while_loop: cond returned {result!r}. Return of cond must be a Symbol. Compute "
                f"it from the variables."
            )
            raise SymbolNameError(msg)
        return _inner(name, own, [result])


def _as_arguments(own: list[Any], form: Any) -> list[Any]:
    grouped = regroup(own, form)
    return grouped if isinstance(form, list) else [grouped]


def _inner(
    name: str, own: Sequence[Symbol], outputs: Sequence[Symbol], states: Sequence[Symbol] = ()
) -> Inner:
    """Return the subgraph of outputs and states, with copies of what it does not make itself.

    States are copies where they are outputs as well.
    """
    scope = Scope(name, [_entry(symbol) for symbol in own])
    inside = scope.inside([_entry(symbol) for symbol in (*outputs, *states)])
    names = {_entry(symbol).node.name for symbol in outputs}
    entries = []
    for position, symbol in enumerate((*outputs, *states)):
        node = _entry(symbol).node
        is_state = position >= len(outputs)
        if node.is_variable or id(node) not in inside or (is_state and node.name in names):
            symbol = _copied(symbol)
        entries.append(_entry(symbol))
    return scope.cut(entries)


def _copied(symbol: Symbol) -> Symbol:
    found: Symbol = compose(
        by_path("nd", "identity"), "nd", "identity", type(symbol), (symbol,), {}
    )
    return found


def _check_used(inner: Inner, num_data: int, count: int) -> None:
    for position in range(count):
        if position not in inner.inputs:
            what = "data" if position < num_data else "state"
            msg = (
                f"foreach: {what} {position if what == 'data' else position - num_data} is not in "
                f"the graph of the body: the {what} arrays have to be used in the loop body. Leave "
                f"it out, or use it."
            )
            raise RefusedArgumentError(msg)


def _entry(symbol: Symbol) -> Entry:
    return symbol.single_entry("control flow")


def _symbols(function: ControlFlow, inputs: Inputs, given: Sequence[Symbol]) -> list[Any]:
    """Return the outputs of a new node."""
    cls = next((type(symbol) for symbol in given), Symbol)
    op = function.op()
    name = naming.current().get(None, function.__name__)
    node = Node(op, name, "nd", f"_internal.{function.__name__}")
    node.attrs = attributes.in_scope(None)
    node.inputs = list(inputs.entries)
    node.names = ("data",) * len(node.inputs)
    node.spelled = texts_of(function, len(node.inputs))
    return [cls([Entry(node, position)]) for position in range(function.outputs)]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "foreach": foreach,
    "while_loop": while_loop,
    "cond": cond,
}
