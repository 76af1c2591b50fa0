"""Symbol: a graph of operators that people compose, and run later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typing_extensions import override

from gluonish.array.symbols import Composed
from gluonish.errors import (
    InvalidIndexError,
    MXNetError,
    NotImplementedForSymbol,
    SymbolError,
    SymbolNameError,
    SymbolTypeError,
)
from gluonish.errors.program_text import names_of_objects, operands
from gluonish.errors.suggestions import did_you_mean, with_hints
from gluonish.errors.tracebacks import shorten
from gluonish.late import LateModule
from gluonish.ops.table.loose_keywords import is_hidden
from gluonish.serialization.files import replacing
from gluonish.symbol import attributes, gradients, inference
from gluonish.symbol.composing import substitute
from gluonish.symbol.fluent import SymbolFluent
from gluonish.symbol.fusing import fused
from gluonish.symbol.graph import Entry, Node, copied, order, variables
from gluonish.symbol.reading import from_json
from gluonish.symbol.writing import to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context
    from gluonish.hybrid import backends
    from gluonish.serialization.files import PathLike
    from gluonish.symbol import binding
    from gluonish.symbol.executor import Executor
    from gluonish.symbol.inference import Found
else:
    backends = LateModule("gluonish.hybrid.backends")
    binding = LateModule("gluonish.symbol.binding")


__all__ = ["Symbol", "group"]


@with_hints
class Symbol(SymbolFluent, Composed):
    """One or several outputs of a graph of operators.

    Symbols are made by `var`, by the functions of `mx.sym`, and out of other Symbols.

    Parameters
    ----------
    entries : iterable of Entry
        Its outputs.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> y = mx.sym.FullyConnected(x, num_hidden=2, name='fc')
    >>> y.list_arguments()
    ['x', 'fc_weight', 'fc_bias']
    >>> y
    <Symbol fc>
    """

    __slots__ = ("entries",)
    __hash__ = object.__hash__  # a Symbol is itself, although == makes another one

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)

    @override
    def __repr__(self) -> str:
        if self.name is None:
            return f"<{type(self).__name__} group [{', '.join(str(part.name) for part in self)}]>"
        return f"<{type(self).__name__} {self.name}>"

    # --- outputs ----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Self]:
        return (type(self)([entry]) for entry in self.entries)

    def __bool__(self) -> bool:
        what = "__bool__"
        raise not_for_symbols(what, self)

    def __getitem__(self, index: object) -> Self:
        """Return one output by number or name, or several by a slice.

        Raises
        ------
        InvalidIndexError
            There is no output of that number.
        SymbolNameError
            There is no output of that name, or there are several.
        """
        entries = self.entries
        if isinstance(index, slice):
            return type(self)(entries[index])
        if isinstance(index, str):
            return type(self)([entries[self._position(index)]])
        if not isinstance(index, int):
            msg = (
                f"{self!r}: {index!r} was given as index. Expected a number, a name or a slice of "
                f"outputs. To slice values use mx.sym.slice or mx.sym.slice_axis."
            )
            raise SymbolTypeError(msg)
        if not -len(entries) <= index < len(entries):
            msg = (
                f"{self!r}: output {index} was asked for. Expected a number below "
                f"{len(entries)}: the outputs are {self.list_outputs()}."
            )
            raise InvalidIndexError(msg)
        return type(self)([entries[index]])

    def _position(self, name: str) -> int:
        names = self.list_outputs()
        found = [position for position, each in enumerate(names) if each == name]
        if len(found) == 1:
            return found[0]
        if found:
            msg = f'There are multiple outputs with name "{name}": {names}. Use a number instead.'
        else:
            near = names if len(names) <= 10 else [*names[:10], f"... {len(names) - 10} more"]
            msg = f'Cannot find output that matches name "{name}". The outputs are {near}.'
            own = f"{name}_output"
            how = f" Write [{own!r}]: it is the output of the operator {name!r}."
            msg += how if own in names else did_you_mean(name, names)
        raise SymbolNameError(msg)

    @property
    def num_outputs(self) -> int:
        """How many outputs it has."""
        return len(self.entries)

    @property
    def name(self) -> str | None:
        """Its node's name; None for outputs of several nodes."""
        nodes = {id(entry.node) for entry in self.entries}
        return self.entries[0].node.name if len(nodes) == 1 else None

    # --- what it consists of ----------------------------------------------------------------

    def list_inputs(self) -> list[str]:
        """Return the names of all variables, arguments and auxiliary states alike."""
        return [node.name for node in order(self.entries) if node.is_variable]

    def list_arguments(self) -> list[str]:
        """Return the names of the variables that are no auxiliary states, in order.

        Examples
        --------
        >>> import gluonish as mx
        >>> (mx.sym.var('a') * mx.sym.var('b')).list_arguments()
        ['a', 'b']
        """
        return [node.name for node in variables(order(self.entries))[0]]

    def list_auxiliary_states(self) -> list[str]:
        """Return the names of the variables that operators update themselves.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.sym.BatchNorm(mx.sym.var('x'), name='bn').list_auxiliary_states()
        ['bn_moving_mean', 'bn_moving_var']
        """
        return [node.name for node in variables(order(self.entries))[1]]

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.sym.split(mx.sym.var('x'), num_outputs=2, name='s').list_outputs()
        ['s_output0', 's_output1']
        """
        nodes = {id(entry.node): entry.node for entry in self.entries}
        names = {key: node.output_names for key, node in nodes.items()}
        return [names[id(entry.node)][entry.position] for entry in self.entries]

    def get_internals(self) -> Self:
        """Return all outputs of all nodes of the graph, variables included.

        Examples
        --------
        >>> import gluonish as mx
        >>> y = mx.sym.exp(mx.sym.var('x'), name='e')
        >>> y.get_internals().list_outputs()
        ['x', 'e_output']
        >>> y.get_internals()['e_output']
        <Symbol e>
        """
        nodes = order(self.entries)
        return type(self)(Entry(node, i) for node in nodes for i in range(node.outputs))

    def get_children(self) -> Self | None:
        """Return what goes directly into the nodes of the outputs; None for variables."""
        nodes = list({id(entry.node): entry.node for entry in self.entries}.values())
        entries = [entry for node in nodes for entry in node.inputs]
        return type(self)(entries) if entries else None

    def _gen_atomic_symbol(self) -> Self:
        """Return the operator of the first output alone, without a name and what goes into it."""
        node = self.entries[0].node
        if node.op is None:
            msg = (
                f"_gen_atomic_symbol: the variable {node.name!r} was given. Expected the result of "
                f"an operator. Use the variable itself."
            )
            raise SymbolTypeError(msg)
        alone = Node(
            node.op, "", node.space, node.path, node.params, node.attrs, spelled=node.spelled
        )
        return type(self)(Entry(alone, i) for i in range(alone.outputs))

    def debug_str(self) -> str:
        """Return a text that shows each node with its inputs and attributes."""
        if len(self.entries) == 1 and self.entries[0].node.is_variable:
            return f"Variable:{self.entries[0].node.name}\n"
        lines = ["Symbol Outputs:"]
        for position, entry in enumerate(self.entries):
            lines.append(f"\toutput[{position}]={entry.node.name}({entry.position})")
        for node in order(self.entries):
            if node.is_variable:
                lines.append(f"Variable:{node.name}")
                continue
            lines += ["-" * 20, f"Op:{node.file_name}, Name={node.name}", "Inputs:"]
            states = {id(state) for state in node.auxiliary()}
            for position, entry in enumerate(node.inputs):
                version = f" version={int(id(entry.node) in states)}" * entry.node.is_variable
                lines.append(f"\targ[{position}]={entry.node.name}({entry.position}){version}")
            texts = node.texts()
            lines += ["Attrs:"] * bool(texts)
            lines += [f"\t{key}={texts[key]}" for key in sorted(texts)]
        return "\n".join(lines) + "\n"

    # --- attributes -------------------------------------------------------------------------

    def attr(self, key: str) -> str | None:
        """Return one attribute as text, or None; `'name'` and `'op_name'` are attributes too.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.sym.var('x', lr_mult=2)
        >>> x.attr('__lr_mult__'), x.attr('name'), mx.sym.Flatten(x).attr('op_name')
        ('2', 'x', 'Flatten')
        """
        node = self._node("attr")
        if key == "name":
            return node.name
        if key == "op_name":
            return node.file_name
        return attributes.look_up(node.texts(), key)

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """Return the attributes of the node as text.

        Raises
        ------
        SymbolError
            `recursive` is set, which MXNet has given up for `attr_dict`.
        """
        if recursive:
            msg = "Symbol.list_attr with recursive=True has been deprecated. Use attr_dict instead."
            raise SymbolError(msg)
        return attributes.shown(self._node("list_attr").texts())

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Return the attributes of each node of the graph that has any, by the node's name.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.sym.exp(mx.sym.var('x', wd_mult=0)).attr_dict()
        {'x': {'__wd_mult__': '0', 'wd_mult': '0'}}
        """
        found = {}
        for node in order(self.entries):
            attrs = attributes.shown(node.texts())
            if attrs:
                found[node.name] = attrs
        return found

    def _set_attr(self, **kwargs: object) -> None:
        """Set attributes of the node; values are text."""
        node = self._node("_set_attr")
        texts: dict[str, str] = {}
        for key, value in kwargs.items():
            if not isinstance(value, str):
                msg = f"Set Attr only accepts string values: {key}={value!r} was given."
                raise SymbolNameError(msg)
            texts[key] = value
        for key, text in texts.items():
            if key == "name":
                node.name = text
            elif key in attributes.HIDDEN:
                node.attrs[f"__{key}__"] = text
            elif is_hidden(key) or node.op is None:
                node.attrs[key] = text
            elif key in node.op.signature.parameters and key not in node.op.inputs:
                node.set_argument(key, text)
            else:
                msg = (
                    f"{node.path} '{node.name}': Cannot find argument '{key}'. Expected one of "
                    f"{_parameters(node)}, or an attribute between double underscores."
                )
                raise SymbolError(msg)

    def _node(self, what: str) -> Node:
        if self.name is None:
            msg = (
                f"{self!r}: {what}() was called on outputs of {len(self.entries)} nodes. Expected "
                f"those of one. Take one of them: symbol[0]."
            )
            raise SymbolError(msg)
        return self.entries[0].node

    # --- inference --------------------------------------------------------------------------

    def infer_shape(self, *args: Any, **kwargs: Any) -> Found:
        """Return the shapes of all arguments, outputs and auxiliary states, given some of them.

        Parameters
        ----------
        *args : tuple of int or None
            Shapes of the first arguments, in the order of `list_arguments()`. None or () stands
            for a shape that is not known, 0 for a length (in np mode: None, and -1).
        **kwargs : tuple of int
            Shapes by the arguments' names.

        Returns
        -------
        arg_shapes, out_shapes, aux_shapes : list of tuple, or None
            In the order of `list_arguments()`, `list_outputs()` and `list_auxiliary_states()`;
            all are None, with a warning, if some shape does not follow from what was given.

        Raises
        ------
        SymbolNameError
            There is no such argument, or positions and names were mixed.
        SymbolTypeError
            Something is no tuple of integers.
        ShapeError
            Shapes contradict each other, or what an operator expects.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=2)
        >>> net.infer_shape(x=(5, 3))
        ([(5, 3), (2, 3), (2,)], [(5, 2)], [])
        """
        return inference.shapes_of(self, args, kwargs, is_partial=False)

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Found:
        """Do the same, with () for what is not known, and 0 for lengths (np mode: None, and -1).

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.sym.Concat(mx.sym.var('x'), mx.sym.var('y'), dim=1).infer_shape_partial(x=(2, 3))
        ([(2, 3), (2, 0)], [(2, 0)], [])
        """
        return inference.shapes_of(self, args, kwargs, is_partial=True)

    def infer_type(self, *args: Any, **kwargs: Any) -> Found:
        """Return the dtypes of all arguments, outputs and auxiliary states, given some of them.

        Parameters
        ----------
        *args : dtype or None
            Dtypes of the first arguments, in the order of `list_arguments()`.
        **kwargs : dtype
            Dtypes by the arguments' names.

        Returns
        -------
        arg_types, out_types, aux_types : list of NumPy type, or None
            All are None, with a warning, if some dtype does not follow from what was given.

        Raises
        ------
        SymbolNameError
            There is no such argument, or positions and names were mixed.
        DTypeError
            Dtypes contradict each other, or are none that arrays can have.

        Examples
        --------
        >>> import gluonish as mx
        >>> (mx.sym.var('x') + mx.sym.var('y')).infer_type(y='float16')[1]
        [<class 'numpy.float16'>]
        """
        return inference.dtypes_of(self, args, kwargs, is_partial=False)

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> Found:
        """Do the same, with None for what is not known.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.sym.exp(mx.sym.var('x')).infer_type_partial()
        ([None], [None], [])
        """
        return inference.dtypes_of(self, args, kwargs, is_partial=True)

    # --- running ----------------------------------------------------------------------------

    def bind(
        self,
        ctx: Context,
        args: Sequence[NDArray] | Mapping[str, NDArray],
        args_grad: Sequence[NDArray | None] | Mapping[str, NDArray] | None = None,
        grad_req: str | Sequence[str] | Mapping[str, str] = "write",
        aux_states: Sequence[NDArray] | Mapping[str, NDArray] | None = None,
        group2ctx: Mapping[str, Context] | None = None,
        shared_exec: Executor | None = None,
    ) -> Executor:
        """Return an Executor that runs the graph on given arrays.

        Parameters
        ----------
        ctx : Context
            Where to run.
        args : list of NDArray or dict of str to NDArray
            The arguments' arrays, in the order of `list_arguments()` or by name.
        args_grad : list of NDArray or dict of str to NDArray, optional
            Where gradients go; None, or a name left out, where none is wanted.
        grad_req : str, list of str or dict of str to str, default 'write'
            Whether gradients overwrite (`'write'`) these arrays, are added to them (`'add'`), or
            are not computed (`'null'`): for all, or for each.
        aux_states : list of NDArray or dict of str to NDArray, optional
            The auxiliary states' arrays.
        group2ctx : dict of str to Context, optional
            Where operators run that have an attribute `ctx_group`, and where their arrays are.
        shared_exec : Executor, optional
            One whose working memory may be used too; torch shares such memory by itself.

        Raises
        ------
        SymbolNameError
            Arrays are missing, or there are too many.
        SymbolTypeError
            Something else stands where an array or a context is expected.
        ShapeError
            Shapes contradict each other.
        ContextError
            An array is somewhere else.

        Examples
        --------
        >>> import gluonish as mx
        >>> x, w = mx.nd.array([1, 2]), mx.nd.array([3, 4])
        >>> executor = (mx.sym.var('x') * mx.sym.var('w')).bind(mx.cpu(), {'x': x, 'w': w})
        >>> print(executor.forward()[0].asnumpy())
        [3. 8.]
        """
        return binding.bind(
            self, ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec
        )

    def simple_bind(
        self,
        ctx: Context | None = None,
        grad_req: str | Sequence[str] | Mapping[str, str] = "write",
        type_dict: Mapping[str, Any] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        group2ctx: Mapping[str, Context] | None = None,
        shared_arg_names: Sequence[str] | None = None,
        shared_exec: Executor | None = None,
        shared_buffer: dict[str, NDArray] | None = None,
        **kwargs: Any,
    ) -> Executor:
        """Return an Executor with arrays of zeros, whose shapes follow from those that are given.

        Parameters
        ----------
        ctx : Context, optional
            Where to run; the current context by default.
        grad_req : str, list of str or dict of str to str, default 'write'
            See `bind`.
        type_dict : dict of str to dtype, optional
            Dtypes of arguments, float32 where nothing tells.
        stype_dict : dict of str to str, optional
            Storage of arguments, `'default'`, `'row_sparse'` or `'csr'`.
        group2ctx : dict of str to Context, optional
            See `bind`.
        shared_arg_names : list of str, optional
            Arguments whose arrays, and their gradients', are those of `shared_exec`; auxiliary
            states then are, too.
        shared_exec : Executor, optional
            See there.
        shared_buffer : dict of str to NDArray, optional
            Arrays whose memory is used for the other arguments; those that are missing or too
            small are put there.
        **kwargs : tuple of int
            Shapes by the arguments' names; other names are left out.

        Raises
        ------
        SymbolError
            Some shape does not follow.
        ShapeError
            Shapes contradict each other.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=2, name='fc')
        >>> executor = net.simple_bind(mx.cpu(), x=(5, 3))
        >>> {name: array.shape for name, array in executor.arg_dict.items()}
        {'x': (5, 3), 'fc_weight': (2, 3), 'fc_bias': (2,)}
        """
        shared = binding.Shared(shared_arg_names or (), shared_exec, shared_buffer)
        return binding.simple_bind(
            self, ctx, grad_req, type_dict, stype_dict, group2ctx, shared, kwargs
        )

    def eval(self, ctx: Context | None = None, **kwargs: NDArray) -> list[NDArray]:
        """Return the outputs for some arrays.

        Parameters
        ----------
        ctx : Context, optional
            Where to run; the current context by default.
        **kwargs : NDArray
            The arguments and auxiliary states.

        Examples
        --------
        >>> import gluonish as mx
        >>> print((mx.sym.var('x') + 1).eval(x=mx.nd.ones((2,)))[0].asnumpy())
        [2. 2.]
        """
        return binding.evaluated(self, ctx, kwargs)

    # --- files ------------------------------------------------------------------------------

    def get_backend_symbol(self, backend: str) -> Self:
        """Return the graph for one of MXNet's subgraph backends: a copy, since PyTorch fuses.

        Parameters
        ----------
        backend : str
            'MKLDNN', 'MKLDNN_QUANTIZE', 'TensorRT' or 'default'. For 'MKLDNN_QUANTIZE', layers
            become nodes, as `mx.contrib.quantization` wants them.

        Raises
        ------
        SymbolError
            There is no such backend.

        Examples
        --------
        >>> import gluonish as mx
        >>> (mx.sym.var('x') * 2).get_backend_symbol('MKLDNN').list_arguments()
        ['x']
        """
        known = (*backends.BACKENDS_OF_MXNET, "default")
        if backend not in known:
            msg = (
                f"Symbol: optimizing for backend {backend!r}, which cannot be found. Expected one "
                f"of {', '.join(known)}. Bind the graph as it is: calls are fused "
                f"and compiled without it."
            )
            raise SymbolError(msg)
        if backend == "MKLDNN_QUANTIZE":
            return type(self)(fused(self.entries))
        return self.__copy__()

    def optimize_for(
        self,
        backend: str,
        args: Mapping[str, NDArray] | Sequence[NDArray] | None = None,
        aux: Mapping[str, NDArray] | Sequence[NDArray] | None = None,
        ctx: Context | None = None,
        shape_dict: Mapping[str, tuple[int, ...]] | None = None,
        type_dict: Mapping[str, DTypeLike] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        skip_infer: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Return the graph for one of MXNet's subgraph backends: a copy, since PyTorch fuses.

        Parameters
        ----------
        backend : str
            As for `get_backend_symbol`.
        args, aux, ctx, shape_dict, type_dict, stype_dict, skip_infer, **kwargs
            What a backend may look at; none of these does.

        Raises
        ------
        SymbolError
            There is no such backend.

        Examples
        --------
        >>> import gluonish as mx
        >>> (mx.sym.var('x') * 2).optimize_for('MKLDNN').list_arguments()
        ['x']
        """
        del args, aux, ctx, shape_dict, type_dict, stype_dict, skip_infer, kwargs
        return self.get_backend_symbol(backend)

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """Return the graph as text, as MXNet 1.9.1 writes it.

        Parameters
        ----------
        remove_amp_cast : bool, default True
            Whether the casts are left out that mixed precision put in.

        Examples
        --------
        >>> import json
        >>> import gluonish as mx
        >>> [node['op'] for node in json.loads((mx.sym.var('x') + 1).tojson())['nodes']]
        ['null', '_plus_scalar']
        """
        return to_json(self.entries, remove_amp_cast=remove_amp_cast)

    def save(self, fname: PathLike, remove_amp_cast: bool = True) -> None:
        """Write the graph to a file that `mx.sym.load` reads, here and in MXNet.

        Parameters
        ----------
        fname : str or os.PathLike
            The file, or a URL.
        remove_amp_cast : bool, default True
            Whether the casts are left out that mixed precision put in.

        Raises
        ------
        FileAccessError
            The file cannot be written.
        """
        with replacing(fname) as stream:
            stream.write(self.tojson(remove_amp_cast).encode())

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.tojson(remove_amp_cast=False))

    def gradient(self, wrt: Sequence[str] | str) -> Self:
        """Return the gradients of the sum of all outputs, as another Symbol.

        Parameters
        ----------
        wrt : list of str
            The arguments to differentiate by; there is an output for each.

        Raises
        ------
        SymbolNameError
            There are no such arguments.

        Notes
        -----
        MXNet 1.9.1 has the method and refuses every call. The Symbol can't be saved in MXNet's
        format, which has no operator for it.

        Examples
        --------
        >>> import gluonish as mx
        >>> slope = (mx.sym.var('x') ** 3).gradient(['x'])
        >>> print(slope.eval(x=mx.nd.array([1, 2]))[0].asnumpy())
        [ 3. 12.]
        """
        return type(self)(gradients.gradient(self, wrt))

    # --- composition ------------------------------------------------------------------------

    def __call__(self, *args: object, name: str | None = None, **kwargs: object) -> Self:
        """Return the graph with variables replaced by other Symbols.

        Parameters
        ----------
        *args : Symbol
            What replaces the first arguments, in the order of `list_arguments()`.
        name : str, optional
            Name of the output.
        **kwargs : Symbol
            What replaces variables, by their names.

        Raises
        ------
        SymbolTypeError
            Something that is no Symbol was given, or positions and names were mixed.
        SymbolError
            There is no such variable.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.sym.exp(mx.sym.var('x'))
        >>> net(x=mx.sym.var('a') + mx.sym.var('b')).list_arguments()
        ['a', 'b']
        """
        if args and kwargs:
            msg = (
                f"{self!r}: compose only accept input Symbols either as positional or keyword "
                f"arguments, not both."
            )
            raise SymbolTypeError(msg)
        given = dict(zip(self.list_arguments(), args, strict=False)) if args else kwargs
        if args and len(given) < len(args):
            msg = (
                f"{self!r}: {len(args)} Symbols were given. Expected at most {len(given)}, for "
                f"the arguments {self.list_arguments()}."
            )
            raise SymbolError(msg)
        entries = {}
        for key, value in given.items():
            if not isinstance(value, Symbol):
                msg = f"Compose expect `Symbol` as arguments: {key}={value!r} was given."
                raise SymbolTypeError(msg)
            entries[key] = value.single_entry(key)
        return type(self)(substitute(self.entries, entries, name))

    def as_nd_ndarray(self) -> Symbol:
        """Return the same outputs with the rules of `NDArray`."""
        return Symbol(self.entries)

    def single_entry(self, what: str) -> Entry:
        """Return the one output.

        Raises
        ------
        SymbolError
            There are several.
        """
        if len(self.entries) != 1:
            msg = (
                f"{what}: {self!r} has {len(self.entries)} outputs, {self.list_outputs()}. "
                f"Expected a single value. Take one of them: symbol[0]."
            )
            raise SymbolError(msg)
        return self.entries[0]

    def __copy__(self) -> Self:
        return type(self)(copied(self.entries)[0])

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.__copy__()


def group(symbols: Sequence[Symbol], create_fn: type[Symbol] = Symbol) -> Symbol:
    """Return the outputs of several Symbols as one.

    Parameters
    ----------
    symbols : list of Symbol
        Those Symbols.
    create_fn : type, default Symbol
        The class of the result.

    Raises
    ------
    SymbolTypeError
        There is none, or one is no Symbol.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.sym.Group([mx.sym.var('a'), mx.sym.var('b')])
    <Symbol group [a, b]>
    """
    given: object = create_fn
    if isinstance(given, Symbol):
        named = [each for each in operands() if each]
        shown = f"[{', '.join(named)}]" if len(named) > 1 else "[a, b]"
        msg = (
            f"Group: {symbols!r} and {given!r} were given. Expected a list of symbols as "
            f"input. Write mx.sym.Group({shown})."
        )
        raise SymbolTypeError(msg)
    symbols = list(symbols)
    if not symbols or not all(isinstance(symbol, Symbol) for symbol in symbols):
        msg = f"Group: {symbols!r} was given. Expected a list of symbols as input. Leave the rest."
        raise SymbolTypeError(msg)
    return create_fn(entry for symbol in symbols for entry in symbol.entries)


def _restored(cls: type[Symbol], text: str) -> Symbol:
    """Return a Symbol that was pickled."""
    return cls(from_json(text, "pickled Symbol"))


def _how_to_read() -> str:
    """Return where values of a program's graph are: in the Executor that it has, or in none yet."""
    found = names_of_objects(lambda held: type(held).__name__ == "Executor")
    if len(found) == 1:
        return f"{found[0][0]}.outputs[0].asnumpy() is that of the Executor, after its forward()."
    return BIND_FIRST


BIND_FIRST = "Bind it to arrays first: symbol.eval(...) or symbol.bind(...)."


def not_for_symbols(name: str, symbol: Symbol) -> NotImplementedForSymbol:
    """Return the error for a method that needs values."""
    msg = (
        f"Function {name} is not implemented for Symbol and only available in NDArray: "
        f"{symbol!r} has no values. {_how_to_read()}"
    )
    return NotImplementedForSymbol(msg)


def refuse_method(name: str) -> Callable[..., NoReturn]:
    """Return a method that says that only arrays have it."""

    def method(self: Symbol, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ARG001
        try:
            raise not_for_symbols(name, self)
        except MXNetError as error:
            shorten(error)
            raise

    method.__name__ = name
    method.__doc__ = f"Refuse: only arrays have `{name}`, a Symbol has no values."
    return method


def _parameters(node: Node) -> list[str]:
    op = node.op
    return [] if op is None else sorted(set(op.signature.parameters) - set(op.inputs))


for _name in ("asnumpy", "asscalar", "copy", "as_in_context", "detach", "backward", "wait_to_read",
              "attach_grad"):  # fmt: skip
    setattr(Symbol, _name, refuse_method(_name))

SymbolBase = Symbol  # MXNet's base class, which it keeps apart
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}
