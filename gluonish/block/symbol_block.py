"""SymbolBlock: a graph as a Block, such as one that was exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol as symbols
from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.dtypes import shown_dtype
from gluonish.array.tensors import held, unwrap
from gluonish.block import calls
from gluonish.block.block import HybridBlock
from gluonish.block.composing import has_symbols
from gluonish.block.exporting import grouped
from gluonish.block.parameter_dict import ParameterDict
from gluonish.errors import (
    ArgumentKindError,
    InvalidArgumentError,
    OperandError,
    ParameterFileError,
    RefusedArgumentError,
    UninitializedParameterError,
)
from gluonish.errors.program_arguments import arguments
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.wording import listed
from gluonish.hybrid.structure import map_arrays
from gluonish.serialization.opened import opened
from gluonish.symbol import Symbol, dtype_inference, inference, shape_inference, var
from gluonish.symbol.graph import Entry, order
from gluonish.symbol.plan import GraphPlan
from gluonish.symbol.storages import declared

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    import torch

    from gluonish.array.dtypes import DTypeLike
    from gluonish.block.parameter import Parameter
    from gluonish.context import Contexts
    from gluonish.symbol.graph import Node
    from gluonish.symbol.shape_inference import Shape

__all__ = ["SymbolBlock"]

_MOST_LISTED = 10


class SymbolBlock(HybridBlock):
    """Block that computes the outputs of a Symbol.

    The variables that are no inputs become its parameters, by their names.

    Parameters
    ----------
    outputs : Symbol or list of Symbol
        What it returns; several outputs come as a list.
    inputs : Symbol or list of Symbol
        The variables that it is called with.
    params : ParameterDict, optional
        Parameters to share, by name.

    Raises
    ------
    OperandError
        An input is no variable.
    RefusedArgumentError
        A parameter would be row_sparse.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> net = mx.gluon.SymbolBlock(mx.sym.FullyConnected(x, num_hidden=2, name='fc'), x)
    >>> net.initialize()
    >>> net(mx.nd.ones((3, 4))).shape
    (3, 2)
    >>> net
    SymbolBlock(
    <Symbol fc> : 1 -> 1
    )
    """

    def __init__(
        self,
        outputs: Symbol | Sequence[Any],
        inputs: Symbol | Sequence[Any],
        params: ParameterDict | Mapping[str, Parameter] | None = None,
    ) -> None:
        super().__init__()
        self._prefix = ""
        self._params = ParameterDict("", _as_dictionary(params))
        self._symbol = grouped(outputs)
        self._graph_inputs = [_input_name(symbol) for symbol in _flat(inputs)]
        self._plans: dict[Any, GraphPlan] = {}
        self._file: str | None = None  # of a graph that was read without parameters
        nodes = {node.name: node for node in order(self._symbol.entries) if node.is_variable}
        self._make_parameters(nodes)
        names = list(self._params.keys())
        start = len(_common_start(names))
        self._reg_params = {name[start:]: self._params[name] for name in names}

    def _make_parameters(self, nodes: Mapping[str, Node]) -> None:
        symbol = self._symbol
        dtypes = _dtypes_of(symbol)
        states = _initial_states(symbol)
        fixed = _fixed(symbol)
        stypes = declared(list(nodes.values()))
        for name in [*symbol.list_arguments(), *states]:
            dtype = dtypes.get(name)
            if name in self._graph_inputs:
                continue
            if stypes.get(name) == "row_sparse":
                raise _sparse(name)
            shared = self._params._find(name)
            if shared is None:
                options: dict[str, Any] = {"allow_deferred_init": True}
                if dtype is not None:
                    options["dtype"] = shown_dtype(dtype)
                if name in states:
                    options |= {"grad_req": "null", "differentiable": False, "init": states[name]}
                elif name in fixed:
                    options |= {"grad_req": "null", "differentiable": False}
                param = self._params.get(name, **options)
                param.represent(Symbol([Entry(nodes[name], 0)]))

    @override
    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_plans": {}}

    @staticmethod
    def imports(
        symbol_file: str | os.PathLike[str],
        input_names: str | Sequence[str],
        param_file: str | os.PathLike[str] | None = None,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """Return a graph that `HybridBlock.export`, `Symbol.save` or MXNet has written.

        Parameters
        ----------
        symbol_file : str or path
            The graph.
        input_names : str or list of str
            The variables that are no parameters.
        param_file : str or path, optional
            The parameters' values.
        ctx : Context or list of Context, optional
            Where the parameters shall be; the current context by default.
        allow_missing : bool, default False
            Whether parameters may be absent from the file.
        ignore_extra : bool, default False
            Whether the file may hold others.

        Raises
        ------
        ParameterFileError
            The parameters in the file are not those of the graph, or the graph has no such inputs.

        Examples
        --------
        >>> import tempfile
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> net.hybridize()
        >>> y = net(mx.nd.ones((1, 2)))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     graph, params = net.export(f'{folder}/net')
        ...     again = mx.gluon.SymbolBlock.imports(graph, 'data', params)
        >>> print(again(mx.nd.ones((1, 2))).asnumpy())
        [[2.]]
        """
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        given: object = param_file
        if isinstance(given, (list, tuple)):
            msg = (
                f"SymbolBlock.imports: param_file={param_file!r} was given, a list. Expected "
                f"imports(symbol_file, input_names, param_file). Write "
                f"imports({str(symbol_file)!r}, {param_file!r}, {''.join(names)!r})."
            )
            raise ArgumentKindError(msg)
        block = SymbolBlock(symbols.load(symbol_file), [var(name) for name in names])
        if param_file is not None:
            block._check_file(symbol_file, param_file)
            try:
                block.collect_params().load(
                    param_file,
                    ctx=ctx,
                    allow_missing=allow_missing,
                    ignore_extra=ignore_extra,
                    cast_dtype=True,
                    dtype_source="saved",
                )
            except ParameterFileError as error:
                block._check_inputs(symbol_file, param_file, error)
                raise
        else:
            block._file = str(symbol_file)
        return block

    def _check_file(self, graph: object, values: str | os.PathLike[str]) -> None:
        """Refuse a file of full names, none of which the graph has: it is another model's."""
        wanted = list(self.collect_params())
        with opened(values) as file:
            stored = [str(name).rpartition(":")[2] for name in file.tensors]
        if wanted and stored and not any(name in wanted or "." in name for name in stored):
            msg = (
                f"SymbolBlock.imports({str(graph)!r}): {str(values)!r} has "
                f"{listed(map(repr, stored), 3)}, of another model. Expected the parameters of the "
                f"graph, {listed(map(repr, wanted), 3)}. Name the file that export() wrote beside "
                f"it."
            )
            raise ParameterFileError(msg)

    def _check_inputs(
        self, graph: object, values: str | os.PathLike[str], error: ParameterFileError
    ) -> None:
        """Raise the error for inputs that a graph does not have, if that is what is wrong."""
        known = self._symbol.list_inputs()
        unknown = [name for name in self._graph_inputs if name not in known]
        if unknown:
            with opened(values) as file:
                stored = {str(name).rpartition(":")[2] for name in file.tensors}
            free = [name for name in known if name not in stored and not name.endswith("_label")]
            near = did_you_mean(unknown[0], free or known) if len(free) != 1 else ""
            how = f"Write input_names={free}" if len(free) == 1 else "Correct input_names"
            if len(free) == 1 and (written := arguments(2)[1:]):
                how = f"Write {free} in place of {written[0]}"
            msg = (
                f"SymbolBlock.imports({str(graph)!r}): "
                f"input_names={self._graph_inputs} was given, but the graph has no "
                f"{', '.join(map(repr, unknown))}. Expected those of its variables for which "
                f"{str(values)!r} has no values: {listed(map(repr, free or known), _MOST_LISTED)}. "
                f"{how}.{near}"
            )
            raise ParameterFileError(msg) from error

    @override
    def __repr__(self) -> str:
        count = len(self._symbol.entries)
        return f"{type(self).__name__}(\n{self._symbol!r} : {len(self._graph_inputs)} -> {count}\n)"

    # --- calling ----------------------------------------------------------------------------

    @override
    def forward(self, x: Any, *args: Any) -> Any:
        """Compute the outputs; Symbols in place of arrays make a graph."""
        if has_symbols((x, *args), {}):
            return self._composed(_flat((x, *args)))
        arrays = self._arrays_of((x, *args))
        try:
            _, params = calls.prepare(self, (x, *args), {})
        except UninitializedParameterError as error:
            raise (self._without_values() or error) from None
        values = dict(zip(self._graph_inputs, arrays, strict=True))
        values.update((self._reg_params[key].name, array) for key, array in params.items())
        plan = self._plan(values)
        ctx = arrays[0].context
        cls = ndarray if isinstance(arrays[0], ndarray) else NDArray
        outputs = plan.run([unwrap(values[name]) for name in plan.variables], ctx)
        results = [wrap(output, ctx, cls) for output in outputs]
        return results[0] if len(results) == 1 else results

    def _without_values(self) -> UninitializedParameterError | None:
        """Return the error for a graph whose parameters were not read, if that is what is wrong."""
        if self._file is None or any(param._arrays for param in self._params.values()):
            return None
        params = self._file.removesuffix("-symbol.json") + "-0000.params"
        return UninitializedParameterError(
            f"SymbolBlock.imports({self._file!r}) was given no file of parameters, and all "
            f"{len(self._params)} of them are without values. Expected that file, which "
            f"net.export wrote beside the graph. Write SymbolBlock.imports({self._file!r}, "
            f"{self._graph_inputs}, {params!r}), or net.load_parameters(...); net.initialize() "
            f"would begin with random ones."
        )

    def _arrays_of(self, args: tuple[Any, ...]) -> list[NDArray]:
        arrays: list[NDArray] = []
        map_arrays(arrays.append, args)
        self._check_count(len(arrays))
        return arrays

    def _check_count(self, count: int) -> None:
        if count != len(self._graph_inputs):
            msg = (
                f"{type(self).__name__} '{self.name}': {count} arrays were given. Expected "
                f"{len(self._graph_inputs)}, for the inputs {self._graph_inputs}: the argument "
                f"structure of HybridBlock does not match the graph. Pass one for each input, "
                f"in that order."
            )
            raise InvalidArgumentError(msg)

    @override
    def _input_names(self, count: int) -> Sequence[str]:
        self._check_count(count)
        return self._graph_inputs

    def _plan(self, values: Mapping[str, NDArray]) -> GraphPlan:
        """Return the order of evaluation; zeros of open shape need one for each set of shapes."""
        plan = self._plans.get(None)
        if plan is None:
            plan = self._plans[None] = GraphPlan(self._symbol.entries)
        if not plan.is_open:
            return plan
        shapes = {name: tuple(held(values[name]).shape) for name in plan.variables}
        key = tuple(shapes.values())
        if key not in self._plans:
            entries = self._symbol.entries
            self._plans[key] = GraphPlan(entries, shape_inference.infer(entries, shapes))
        return self._plans[key]

    def _composed(self, given_symbols: list[Any]) -> Any:
        self._check_count(len(given_symbols))
        given = dict(zip(self._graph_inputs, given_symbols, strict=True))
        given |= {name: param.var() for name, param in self._params.items()}
        used = self._symbol.list_inputs()
        result = self._symbol(**{name: given[name] for name in used})
        result = type(given_symbols[0])(result.entries)
        return result if len(result.entries) == 1 else list(result)

    # --- parameters -------------------------------------------------------------------------

    @override
    def infer_shape(self, *args: Any) -> None:
        """Find the unknown dimensions of all parameters from one batch of data."""
        arrays = self._arrays_of(args)
        known: dict[str, Shape] = inference.declared_shapes(order(self._symbol.entries))
        known |= {
            name: param._shape for name, param in self._params.items() if param._shape is not None
        }
        known |= {
            n: tuple(array.shape) for n, array in zip(self._graph_inputs, arrays, strict=True)
        }
        found = shape_inference.infer(self._symbol.entries, known)
        for (node, _), shape in found.items():
            if node.is_variable and node.name in self._params and shape is not None:
                self._params[node.name].shape = shape

    @override
    def cast(self, dtype: DTypeLike) -> None:
        """Turn all parameters into another dtype; beside float16 data BatchNorm's stay float32."""
        super().cast(dtype)
        if str(dtype) in ("float16", "<class 'numpy.float16'>"):
            for node in order(self._symbol.entries):
                if node.op is not None and node.op.aux:
                    self._cast_states(node)
        self._plans = {}

    def _cast_states(self, node: Node) -> None:
        for entry in node.inputs[1:]:
            if entry.node.name in self._params:
                self._params[entry.node.name].cast("float32")

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move all parameters to other contexts.

        Parameters
        ----------
        ctx : Context or list of Context
            Where they shall be.
        """
        self.collect_params().reset_ctx(ctx)


def _initial_states(symbol: Symbol) -> dict[str, str]:
    """Return how the states of operators are filled: averages with 0, variances with 1."""
    found = {}
    for node in order(symbol.entries):
        states = {id(variable) for variable in node.auxiliary()}
        for name, entry in zip(node.names, node.inputs, strict=True):
            if id(entry.node) in states:
                told = entry.node.name if name == "data" else name  # of a layer held by a node
                found[entry.node.name] = "ones" if told.endswith("var") else "zeros"
    return found


def _fixed(symbol: Symbol) -> set[str]:
    """Return scales that BatchNorm counts as 1, which no gradient reaches."""
    fixed: set[str] = set()
    used: set[str] = set()
    for node in order(symbol.entries):
        is_fixed = node.op is not None and node.arguments().get("fix_gamma", False)
        for name, entry in zip(node.names, node.inputs, strict=True):
            if entry.node.is_variable:
                (fixed if is_fixed and name == "gamma" else used).add(entry.node.name)
    return fixed - used


def _dtypes_of(symbol: Symbol) -> dict[str, torch.dtype | None]:
    """Return the dtypes of variables that follow from what variables and operators say."""
    declared = inference.declared_dtypes(order(symbol.entries))
    found = dtype_inference.infer(symbol.entries, declared)
    return {node.name: dtype for (node, _), dtype in found.items() if node.is_variable}


def _as_dictionary(params: ParameterDict | Mapping[str, Parameter] | None) -> ParameterDict | None:
    if params is None or isinstance(params, ParameterDict):
        return params
    found = ParameterDict("")
    found.update(params)
    return found


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [part for each in value for part in _flat(each)]
    if isinstance(value, Symbol) and len(value.entries) > 1:
        return list(value)
    return [value]


def _sparse(name: str) -> RefusedArgumentError:
    msg = (
        f"SymbolBlock doesn't support Parameter {name!r} because its storage type is 'row_sparse'. "
        f"Expected variables of the default storage. Make it without stype, or bind the Symbol."
    )
    return RefusedArgumentError(msg)


def _input_name(symbol: Any) -> str:
    if not isinstance(symbol, Symbol) or not symbol.entries[0].node.is_variable:
        is_symbol = isinstance(symbol, Symbol)
        shown = repr(symbol) if is_symbol else f"an object of type {type(symbol).__name__}"
        msg = (
            f"SymbolBlock: Input symbols must be variable, but {shown} is "
            f"{'an output of operators' if is_symbol else 'none'}. Write SymbolBlock(outputs, "
            f"inputs), outputs first and then what mx.sym.var(...) returned."
        )
        raise OperandError(msg)
    return symbol.entries[0].node.name


def _common_start(names: Sequence[str]) -> str:
    """Return what all names start with."""
    if not names:
        return ""
    first, last = min(names), max(names)
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b),
        min(len(first), len(last)),
    )
    return first[:length]
