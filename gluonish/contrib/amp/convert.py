"""Graphs and trained models in mixed precision, with casts as part of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.dtypes import CODE_OF_DTYPE, dtype_name, torch_dtype
from gluonish.block import HybridBlock, Parameter, SymbolBlock
from gluonish.block.exporting import grouped, latest_graph
from gluonish.contrib.amp.choices import lists_of, with_own
from gluonish.errors import (
    DTypeError,
    ExportError,
    InvalidArgumentError,
    RefusedArgumentError,
)
from gluonish.init import Zero
from gluonish.symbol import Symbol, var
from gluonish.symbol.frontend import by_path
from gluonish.symbol.graph import Entry, Node, order
from gluonish.symbol.inference import declared_dtypes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context
    from gluonish.contrib.amp.cards import Condition, Lists

_HALF = (torch.float16, torch.bfloat16)


def convert_symbol(
    sym: Any,
    target_dtype: DTypeLike = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[Condition] | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    data_names: Sequence[str] | None = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """Return a graph that computes in mixed precision: the same, with casts in between.

    Its outputs are `float32`.

    Parameters
    ----------
    sym : Symbol
        The graph, which stays as it is.
    target_dtype : {'float16', 'bfloat16'}, default 'float16'
        The low precision.
    target_dtype_ops, fp32_ops : list of str, optional
        Operators that compute in low precision and in float32, instead of MXNet's lists.
    conditional_fp32_ops : list of (str, str, list of str), optional
        Operators that compute in float32 if an argument has one of several values.
    excluded_sym_names : list of str, optional
        Names of nodes that compute in what they are given.
    data_names : list of str, optional
        Variables that are no parameters; by default those that do not say which dtype they have,
        as the variables of a Block's parameters do.
    cast_optional_params : bool, default False
        Whether parameters of which nothing but their low precision is used are to be given in it.

    Raises
    ------
    RefusedArgumentError
        There is no such low precision, or an operator is in two lists.
    UnknownOperatorError
        There is no operator of a name that is given.
    DTypeError
        `sym` is no Symbol, or names are no list.

    Examples
    --------
    >>> import gluonish as mx
    >>> y = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=3, name='fc')
    >>> mx.contrib.amp.convert_symbol(y).list_outputs()
    ['fc_output_amp_cast_float32_output']
    """
    if not isinstance(sym, Symbol):
        msg = (
            f"amp.convert_symbol: {type(sym).__name__} was given. First argument to "
            f"convert_symbol should be Symbol. Pass what mx.sym makes."
        )
        raise DTypeError(msg)
    dtype, lists = lists_of(target_dtype, "convert_symbol")
    _check_disjoint(target_dtype_ops, fp32_ops)
    lists = with_own(lists, target_dtype_ops, conditional_fp32_ops, fp32_ops, "amp.convert_symbol")
    excluded = _names(excluded_sym_names, "excluded_sym_names")
    inputs = sym.list_inputs()
    declared = declared_dtypes(order(sym.entries))
    data = {name for name in inputs if name not in declared}
    if data_names is not None:
        data = _names(data_names, "data_names")
        _check_variables(data, inputs)
    fixed = data if cast_optional_params else set(inputs)
    conversion = _Conversion(dtype, lists, excluded, fixed)
    cls: type[Symbol] = type(sym)
    return cls(conversion.run(sym.entries))


def convert_model(
    sym: Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    target_dtype: DTypeLike = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[Condition] | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    cast_optional_params: bool = False,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Return a graph in mixed precision, and the parameters for it.

    Parameters
    ----------
    sym : Symbol
        The graph.
    arg_params, aux_params : dict of str to NDArray
        Parameters and auxiliary states, by name.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names
        As in `convert_symbol`.
    cast_optional_params : bool, default False
        Whether parameters of which nothing but their low precision is used are returned in it.

    Returns
    -------
    sym : Symbol
    arg_params, aux_params : dict of str to NDArray

    Examples
    --------
    >>> import gluonish as mx
    >>> y = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=1, no_bias=True, name='fc')
    >>> params = {'fc_weight': mx.nd.ones((1, 2))}
    >>> y, params, _ = mx.contrib.amp.convert_model(y, params, {}, cast_optional_params=True)
    >>> params['fc_weight'].dtype
    <class 'numpy.float16'>
    """
    given = {*arg_params, *aux_params}
    converted = convert_symbol(
        sym,
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        [name for name in sym.list_inputs() if name not in given],
        cast_optional_params,
    )
    dtypes = declared_dtypes(order(converted.entries))
    return converted, _cast(arg_params, dtypes), _cast(aux_params, dtypes)


def convert_hybrid_block(
    block: Any,
    target_dtype: DTypeLike = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[Condition] | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    ctx: Context | list[Context] | None = None,
    cast_optional_params: bool = False,
) -> SymbolBlock:
    """Return a Block that computes in mixed precision what a hybridized one computes.

    It has copies of the parameters, of the same names.

    Parameters
    ----------
    block : HybridBlock
        The Block, hybridized and called before.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names
        As in `convert_symbol`.
    ctx : Context or list of Context, optional
        Where the parameters are copied to; by default where they are.
    cast_optional_params : bool, default False
        Whether parameters of which nothing but their low precision is used are kept in it.

    Raises
    ------
    RefusedArgumentError
        It is no HybridBlock.
    ExportError
        It has not been called since it was hybridized.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.One())
    >>> net.hybridize()
    >>> x = mx.nd.array([[1, 2 ** -12]])
    >>> net(x).asnumpy(), mx.contrib.amp.convert_hybrid_block(net)(x).asnumpy()
    (array([[1.0002441]], dtype=float32), array([[1.]], dtype=float32))
    """
    if not isinstance(block, HybridBlock):
        msg = (
            f"amp.convert_hybrid_block: {type(block).__name__} was given. block input should be a "
            f"HybridBlock. Pass a Block whose layers are HybridBlocks."
        )
        raise RefusedArgumentError(msg)
    graph = latest_graph(block)
    if not graph:
        msg = (
            f"amp.convert_hybrid_block: '{block.name}' has no graph yet. Expected a Block that was "
            f"called. Please first call block.hybridize() and then run forward with this block at "
            f"least once."
        )
        raise ExportError(msg)
    inputs, outputs = graph
    names = [one.list_outputs()[0] for one in inputs]
    converted = convert_symbol(
        grouped(outputs),
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        names,
        cast_optional_params,
    )
    params = _low_copies(converted, list(block.collect_params().values()), ctx)
    return SymbolBlock(converted, [var(name) for name in names], params)


def _low_copies(
    symbol: Symbol, params: Sequence[Parameter], ctx: Context | list[Context] | None
) -> dict[str, Parameter]:
    """Return copies of the parameters that a graph has, in the dtypes that it declares."""
    dtypes = declared_dtypes(order(symbol.entries))
    wanted = set(symbol.list_inputs())
    found = {}
    for param in params:
        if param.name in wanted:
            dtype = dtype_name(dtypes.get(param.name, torch_dtype(param.dtype)))
            own = found[param.name] = Parameter(
                param.name,
                shape=param.shape,
                dtype=dtype,
                grad_req=param.grad_req,
                differentiable=param.grad_req != "null",
            )
            own.initialize(Zero(), ctx=param.list_ctx() if ctx is None else ctx)
            own.set_data(param.data(param.list_ctx()[0]).astype(dtype))
    return found


# --- the graph ------------------------------------------------------------------------------


class _Conversion:
    """Copies a graph, with casts.

    Parameters
    ----------
    dtype : torch.dtype
        The low precision.
    lists : Lists
        What happens to operators.
    excluded : set of str
        Names of nodes that nothing happens to.
    fixed : set of str
        Variables that keep their dtype.
    """

    def __init__(
        self, dtype: torch.dtype, lists: Lists, excluded: set[str], fixed: set[str]
    ) -> None:
        self._dtype = dtype
        self._lists = lists
        self._excluded = excluded
        self._fixed = fixed
        self._copies: dict[int, Node] = {}
        self._dtypes: dict[Entry, torch.dtype | None] = {}  # None where it is not known
        self._casts: dict[tuple[Entry, torch.dtype], Entry] = {}

    def run(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the outputs of the copy."""
        nodes = order(entries)
        declared = declared_dtypes(nodes)
        low = self._only_low(nodes, declared)
        for node in nodes:
            copy = self._copies[id(node)] = node.copy()
            if node.is_variable:
                dtype = declared.get(node.name)
                if node.name in low:
                    dtype = self._dtype
                    copy.attrs["__dtype__"] = str(CODE_OF_DTYPE[dtype])
                self._dtypes[Entry(copy, 0)] = dtype
            else:
                self._convert(copy)
        return [self._output(self._copied(entry)) for entry in entries]

    def _rule(self, node: Node) -> str:
        """Return what happens to a node: 'low', 'full', 'widest', or nothing."""
        if node.name in self._excluded:
            return ""
        lists, given = self._lists, node.arguments()
        names = {node.file_name} | ({node.op.precision.like} if node.op is not None else set())
        for operator, argument, values in lists.conditions:
            if operator in names and str(given.get(argument)) in map(str, values):
                return "full"
        rules = ("low", "full", "widest")
        return next((rule for rule in rules if names & getattr(lists, rule)), "")

    def _only_low(self, nodes: Sequence[Node], declared: Mapping[str, torch.dtype]) -> set[str]:
        """Return the variables of which nothing but their low precision is used."""
        used: dict[str, set[bool]] = {}
        for node in nodes:
            is_low = not node.is_variable and self._rule(node) == "low"
            for entry in node.inputs:
                if entry.node.is_variable:
                    used.setdefault(entry.node.name, set()).add(is_low)
        return {
            name
            for name, uses in used.items()
            if uses == {True}
            and name not in self._fixed
            and declared.get(name, torch.float32) == torch.float32
        }

    def _convert(self, node: Node) -> None:
        rule = self._rule(node)
        node.inputs = [self._copied(entry) for entry in node.inputs]
        found = [self._dtypes[entry] for entry in node.inputs]
        if rule == "low":
            node.inputs = [self._to(self._dtype, entry) for entry in node.inputs]
            dtype: torch.dtype | None = self._dtype
        elif rule == "full":
            node.inputs = [self._output(entry) for entry in node.inputs]
            dtype = torch.float32
        elif rule == "widest" and len(found) > 1 and (None in found or len(set(found)) > 1):
            node.inputs = self._to_widest(node.inputs)
            dtype = None if None in found else torch.float32
        else:
            dtype = found[0] if found else None
        told = node.arguments().get("dtype")
        if told is not None:
            dtype = torch_dtype(told)
        for position in range(node.outputs):
            self._dtypes[Entry(node, position)] = dtype

    def _copied(self, entry: Entry) -> Entry:
        return Entry(self._copies[id(entry.node)], entry.position)

    def _output(self, entry: Entry) -> Entry:
        """Return an entry in float32; variables of which nothing is known have it."""
        is_open = self._dtypes[entry] is None and entry.node.is_variable
        return entry if is_open else self._to(torch.float32, entry)

    def _to(self, dtype: torch.dtype, entry: Entry) -> Entry:
        """Return an entry in a dtype; each is cast once."""
        now = self._dtypes[entry]
        if now == dtype or (now is not None and now not in (torch.float32, *_HALF)):
            return entry
        cast = self._casts.get((entry, dtype))
        if cast is None:
            node = Node(
                by_path("nd", "amp_cast"),
                f"{_name_of(entry)}_amp_cast_{dtype_name(dtype)}",
                path="amp_cast",
                params={"dtype": dtype_name(dtype)},
                inputs=[entry],
                names=["data"],
            )
            cast = self._casts[entry, dtype] = Entry(node, 0)
            self._dtypes[cast] = dtype
        return cast

    def _to_widest(self, entries: Sequence[Entry]) -> list[Entry]:
        node = Node(
            by_path("nd", "amp_multicast"),
            f"{_name_of(entries[0])}_amp_multicast",
            path="amp_multicast",
            params={"num_outputs": len(entries)},
            inputs=entries,
            names=["data"] * len(entries),
        )
        return [Entry(node, position) for position in range(len(entries))]


def _name_of(entry: Entry) -> str:
    return entry.node.output_names[entry.position]


# --- arguments ------------------------------------------------------------------------------


def _cast(params: Mapping[str, NDArray], dtypes: Mapping[str, torch.dtype]) -> dict[str, NDArray]:
    return {
        name: array.astype(dtype_name(dtypes[name])) if name in dtypes else array.copy()
        for name, array in params.items()
    }


def _names(names: Sequence[str] | None, what: str) -> set[str]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names or ()):
        msg = (
            f"amp.convert_symbol: {what}={names!r} was given. {what} should be a list of strs. "
            f"Write {what}=['conv0_fwd']."
        )
        raise RefusedArgumentError(msg)
    return set(names or ())


def _check_variables(names: set[str], known: Sequence[str]) -> None:
    unknown = sorted(names - set(known))
    if unknown:
        msg = (
            f"amp.convert_symbol: data_names {', '.join(unknown)} were given. Expected variables "
            f"of the graph: {', '.join(known[:10])}. Leave the others out."
        )
        raise InvalidArgumentError(msg)


def _check_disjoint(low: Sequence[str] | None, full: Sequence[str] | None) -> None:
    common = set(low or ()) & set(full or ())
    if common:
        msg = (
            f"amp.convert_symbol: {', '.join(sorted(common))} are in target_dtype_ops and in "
            f"fp32_ops. Ops cannot be in two or more lists. Leave them out of one."
        )
        raise RefusedArgumentError(msg)
