"""Block and HybridBlock: what every layer and network is built from."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.waiting import is_waiting
from gluonish.block import (
    calls,
    composing,
    deferrals,
    deferred,
    explaining,
    first_call,
    hooks,
    in_loops,
)
from gluonish.block.frontends import FRONTENDS
from gluonish.block.naming import BlockScope, name_block
from gluonish.block.parameter import Parameter
from gluonish.block.torch_module import to_torch
from gluonish.context import is_np_array
from gluonish.errors import InvalidArgumentError, MissingMethodError, MXNetError
from gluonish.errors.callables import called
from gluonish.errors.program_text import name_of
from gluonish.errors.suggestions import misspelt_method, with_hints
from gluonish.errors.tracebacks import explained, shorten
from gluonish.hybrid import ChangeCounts, is_capturing
from gluonish.late import LateModule
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from typing import Never, Self

    from torch import fx

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.block import architecture, exporting, monitor, serialization, summary
    from gluonish.block.parameter_dict import ParameterDict
    from gluonish.block.torch_module import TorchModule
    from gluonish.context import Contexts
    from gluonish.hybrid import report
    from gluonish.hybrid.graphs import GraphCache
    from gluonish.hybrid.report import HybridReport
    from gluonish.symbol import Symbol
else:
    architecture = LateModule("gluonish.block.architecture")
    exporting = LateModule("gluonish.block.exporting")
    monitor = LateModule("gluonish.block.monitor")
    report = LateModule("gluonish.hybrid.report")
    serialization = LateModule("gluonish.block.serialization")
    summary = LateModule("gluonish.block.summary")

_LISTS = (list, tuple)
_OWN = ("_looked", "_watchers")  # what a copy begins without


@with_hints
class Block:
    """Base of all layers and networks.

    A subclass makes its children and parameters in the constructor, as attributes, and defines
    `forward`.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters and children; by default the class name in lower
        case with a number (`dense0_`).
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon import nn
    >>> class MLP(nn.Block):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         self.hidden = nn.Dense(4, activation='relu')
    ...         self.output = nn.Dense(2)
    ...     def forward(self, x):
    ...         return self.output(self.hidden(x))
    >>> net = MLP()
    >>> net.initialize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 2)
    """

    _in_summary = True  # containers, which only pass data on, set it to False

    # What the constructor sets; the attributes of the hot path are left out, for speed.
    _prefix: str = calls.NotConstructed()  # type: ignore[assignment]
    _params: ParameterDict = calls.NotConstructed()  # type: ignore[assignment]
    _name: str = calls.NotConstructed()  # type: ignore[assignment]
    _scope: BlockScope = calls.NotConstructed()  # type: ignore[assignment]
    _children: OrderedDict[str, Block] = calls.NotConstructed()  # type: ignore[assignment]

    _looked = -1  # what `deferrals.count` was when all its parameters were there
    _between_calls: tuple[str, ...] = ()  # attributes that a call leaves for the next

    def __init__(
        self,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        **unknown: Never,  # so that what no constructor took is refused with the nearest name
    ) -> None:
        if unknown:
            raise calls.unknown_arguments(self, unknown)
        if prefix is not None and not isinstance(prefix, str):
            raise calls.no_prefix(self, prefix)
        self._empty_prefix = prefix == ""
        self._prefix, self._params = name_block(prefix, params, self._alias())
        self._name = self._prefix[:-1] if self._prefix.endswith("_") else self._prefix
        self._scope = BlockScope(self)
        self._children = OrderedDict()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, hooks.Hook] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, hooks.Hook] = OrderedDict()
        self._graphs: GraphCache | None = None

    @override
    def __setattr__(self, name: str, value: Any) -> None:
        try:
            attributes = self.__dict__
            if isinstance(value, (Block, Parameter)) or name in attributes:
                existing = attributes.get(name)
                if isinstance(existing, (Block, Parameter)):
                    calls.check_replacement(self, name, existing, value)
                if isinstance(value, Block):
                    self.register_child(value, name)
                elif isinstance(value, Parameter):
                    calls.register_parameter(self, name, value)
            if "_watchers" in attributes or is_capturing():
                calls.note_change(self, name, value)
            object.__setattr__(self, name, value)
            if name == "forward":  # which the shortest way of a call goes around
                attributes["_has_own_forward"] = True
        except MXNetError as error:
            shorten(error)
            raise
        except AttributeError as error:  # a property that can't be set
            shorten(explained(error))
            raise

    @override
    def __delattr__(self, name: str) -> None:
        calls.note_change(self, name, None)
        object.__delattr__(self, name)

    @override
    def __getstate__(self) -> dict[str, Any]:
        # Graphs are made for one object; a copy captures its own.
        kept = {key: value for key, value in self.__dict__.items() if key not in _OWN}
        return kept | {"_graphs": self._graphs and self._graphs.backend}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        backend = values["_graphs"]
        self._graphs = None if backend is None else calls.graphs_for(self, backend)

    @override
    def __repr__(self) -> str:
        lines = "\n".join(
            f"  ({key}): {_indent(repr(child))}"
            for key, child in self.__dict__.get("_children", {}).items()
        )
        return f"{type(self).__name__}(\n{lines}\n)"

    # --- names and children -----------------------------------------------------------------

    @property
    def prefix(self) -> str:
        """Start of the names of the Block's parameters."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without its last underscore."""
        return self._name

    @property
    def params(self) -> ParameterDict:
        """The Block's own parameters, without its children's."""
        return self._params

    def _alias(self) -> str:
        """Return what names of Blocks of this class start with."""
        return type(self).__name__.lower()

    def name_scope(self) -> BlockScope:
        """Return a scope in which new Blocks are named as this one's children.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon import nn
        >>> net = nn.HybridSequential(prefix='model_')
        >>> with net.name_scope():
        ...     net.add(nn.Dense(2))
        >>> net[0].name
        'model_dense0'
        """
        return self._scope

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Make another Block a child: its parameters then belong to this one's.

        Parameters
        ----------
        block : Block
            The child; assigning it to an attribute does the same.
        name : str, optional
            Its name in saved files; its number by default.

        Raises
        ------
        BlockTypeError
            The child is no Block.
        RecursiveBlockError
            The child has this Block inside it.
        """
        children = self._children
        calls.check_child(self, block, Block)
        children[str(len(children)) if name is None else name] = block
        deferrals.joined()
        ChangeCounts.structure_changed()

    def apply(self, fn: Callable[[Block], Any]) -> Self:
        """Call a function on every child, recursively, then on the Block itself.

        Examples
        --------
        >>> from gluonish.gluon import nn
        >>> net = nn.Dense(2, prefix='d_').apply(lambda block: print(block.name))
        d
        """
        for child in self._children.values():
            child.apply(fn)
        called("apply", "a function of one argument, a Block. Write lambda block: ...", fn, self)
        return self

    def _check_container_with_block(self) -> None:
        calls.warn_of_hidden_blocks(self)

    # --- parameters -------------------------------------------------------------------------

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Return the parameters of the Block and all of its children.

        Parameters
        ----------
        select : str, optional
            Regular expression that a parameter's name must match from its start.

        Examples
        --------
        >>> from gluonish.gluon import nn
        >>> nn.Dense(2, in_units=3, prefix='d_').collect_params('.*weight')
        d_ (
          Parameter d_weight (shape=(2, 3), dtype=float32)
        )
        """
        return calls.collect_params(self, select)

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Return the parameters by structural name, such as `'0.weight'`."""
        start = f"{prefix}." if prefix else ""
        found = {start + key: param for key, param in self._reg_params.items()}
        for key, child in self._children.items():
            found.update(child._collect_params_with_prefix(start + key))
        return found

    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters; those of unknown shape at the first call.

        Parameters
        ----------
        init : Initializer or str, optional
            Used for parameters without their own; `Uniform(0.07)` by default.
        ctx : Context or list of Context, optional
            Where to put the parameters; the current context by default.
        verbose : bool, default False
            Whether the initializer logs what it does.
        force_reinit : bool, default False
            Whether to fill parameters that are initialized already.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> print(net.weight.data().asnumpy())
        [[1. 1.]]
        """
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def cast(self, dtype: DTypeLike) -> None:
        """Turn all parameters into another dtype."""
        for child in self._children.values():
            child.cast(dtype)
        for param in self.params.values():
            param.cast(dtype)
        ChangeCounts.structure_changed()

    def save_parameters(self, filename: str | os.PathLike[str], deduplicate: bool = False) -> None:
        """Write the values of all parameters to a file, by structural name.

        Parameters
        ----------
        filename : str or path
            Where to; `.safetensors` is written by that name, MXNet's container by any other.
        deduplicate : bool, default False
            Whether a shared parameter is written once only.
        """
        serialization.save_parameters(self, filename, deduplicate)

    def load_parameters(
        self,
        filename: str | os.PathLike[str],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read the values of all parameters from a file.

        Parameters
        ----------
        filename : str or path
            A file that `save_parameters` or `export`, or MXNet, has written.
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized; the current context by default.
        allow_missing : bool, default False
            Whether parameters may be absent from the file.
        ignore_extra : bool, default False
            Whether the file may hold others.
        cast_dtype : bool, default False
            Whether values of another dtype are cast.
        dtype_source : {'current', 'saved'}, default 'current'
            Which dtype wins if `cast_dtype`.
        """
        serialization.load_parameters(
            self, filename, ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def save_params(self, filename: str | os.PathLike[str]) -> None:
        """Write all parameters by full name, as MXNet before 1.2 did (deprecated there)."""
        self.collect_params().save(filename, strip_prefix=self.prefix)

    def load_params(
        self,
        filename: str | os.PathLike[str],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """Read all parameters; the old name of `load_parameters` (deprecated in MXNet)."""
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def save(self, prefix: str | os.PathLike[str]) -> None:
        """Write the parameters, the names of all Blocks, and the graphs of those hybridized.

        Parameters
        ----------
        prefix : str or path
            What the files' names start with: `prefix-model.json`, `prefix-model.params`.

        Examples
        --------
        >>> import tempfile
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2, prefix='first_')
        >>> net.initialize()
        >>> other = mx.gluon.nn.Dense(1, in_units=2, prefix='second_')
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save(f'{folder}/net')
        ...     other.load(f'{folder}/net')
        >>> other.weight.name
        'first_weight'
        """
        architecture.save(self, prefix)

    def load(self, prefix: str | os.PathLike[str]) -> None:
        """Read what `save` wrote for a Block that was built in the same way.

        The Block, its children and parameters get the names that they had then.

        Parameters
        ----------
        prefix : str or path
            What the files' names start with.

        Raises
        ------
        ArchitectureError
            The Block was built in another way.
        """
        architecture.load(self, prefix)

    def _rename(self, name: str, prefix: str) -> None:
        """Give the Block another name, and its new parameters another prefix."""
        self._name, self._prefix = name, prefix
        ChangeCounts.structure_changed()

    # --- calling ----------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Block on data, between its hooks; by its captured graph where there is one."""
        if self._looked != deferrals.count and first_call.begins(self, args):
            try:
                return first_call.run(self, Block.__call__, (self, *args), kwargs)
            except Exception as error:
                shorten(error)
                raise
        try:
            graphs = self._graphs
            if self._forward_hooks or self._forward_pre_hooks:
                forward = self.forward if graphs is None else self._replay
                return hooks.call_with_hooks(self, forward, args, kwargs)
            if graphs is None:
                result = self.forward(*args, **kwargs)
            elif args and type(args[0]) in FRONTENDS:
                result = graphs(args, kwargs)
            else:
                return self._replay(*args, **kwargs)
            is_list = type(result) in _LISTS and is_np_array()
            return calls.of_one_kind(self, result) if is_list else result
        except Exception as error:
            explaining.explain(self, error, args)
            raise

    def _look_at(self, *args: Any) -> None:
        """Look at the data of a first call, for what works and is probably wrong."""

    def _replay(self, *args: Any, **kwargs: Any) -> Any:
        if args and is_waiting(args[0]):
            return in_loops.call(self, args, kwargs)
        if self._graphs is None or composing.has_symbols(args, kwargs):
            return self.forward(*args, **kwargs)
        return self._graphs(args, kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - named for subclasses
        """Compute the output; overridden by subclasses."""
        msg = (
            f"{type(self).__name__} '{self.name}': forward() is not defined. Expected a subclass "
            f"of Block that defines forward(self, x).{misspelt_method(type(self), 'forward')}"
        )
        raise MissingMethodError(msg)

    def register_forward_pre_hook(self, hook: hooks.Hook) -> hooks.HookHandle:
        """Have `hook(block, inputs)` called before every forward.

        Returns
        -------
        HookHandle
            `detach()` takes the hook away.
        """
        ChangeCounts.structure_changed()
        return hooks.attached(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: hooks.Hook) -> hooks.HookHandle:
        """Have `hook(block, inputs, output)` called after every forward.

        Returns
        -------
        HookHandle
            `detach()` takes the hook away.
        """
        ChangeCounts.structure_changed()
        return hooks.attached(self._forward_hooks, hook)

    def register_op_hook(self, callback: monitor.OpHook, monitor_all: bool = False) -> None:
        """Have `callback(name, op, array)` called for the output of every operator.

        Operators of HybridBlocks among the Block and its children are seen. A Block with such
        hooks stays in Python when it is hybridized.

        Parameters
        ----------
        callback : callable
            Takes the names of the output and of the operator, as bytes, and the array.
        monitor_all : bool, default False
            Whether to show inputs too.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=3, prefix='d_')
        >>> net.initialize()
        >>> net.register_op_hook(lambda name, op, array: print(name, op, array.shape))
        >>> _ = net(mx.nd.ones((1, 3)))
        b'd_fwd_output' b'FullyConnected' (1, 2)
        """
        monitor.watch(self, callback, monitor_all)
        ChangeCounts.structure_changed()

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Capture the Block's next call as a graph and replay that from then on.

        Python runs once for each new signature (shapes, dtypes, contexts, recording, training).
        A Block whose Python reads values of the data stays in Python and its children are
        captured; a line in the log says so.

        Parameters
        ----------
        active : bool, default True
            Whether to capture, for the Block and its children.
        **kwargs
            `backend`: 'auto' (default), 'fx', a name that `torch.compile` knows ('inductor', ...),
            or a callable that takes a graph module and example inputs and returns a callable;
            other names are options for that backend. 'fx' replays the captured graph. 'auto'
            does so at once; a graph that has worked for 2 seconds without recording is compiled
            by another process meanwhile, and the compiled graph is adopted if it gives the same
            results faster. Compiled graphs are kept on disk for the next run of the program.

            MXNet's `static_alloc`, `static_shape`, `inline_limit`, `forward_bulk_size`,
            `backward_bulk_size`, `clear`, `partition_if_dynamic`, `data_indices` and
            `param_indices` are hints to MXNet's engine, which a captured graph does not need.

            `fuse_loop=False`: forward and `backward()` of a training loop stay apart. Otherwise
            they become one graph with the loss, once the loop has always gone the same way.

        Notes
        -----
        Environment variables: `GLUONISH_HYBRIDIZE=0` switches capturing off,
        `GLUONISH_FUSE_LOOPS=0` leaves loops as they are, `GLUONISH_BACKEND` overrides the backend,
        `GLUONISH_COMPILE_AFTER` is the number of seconds after which 'auto' compiles,
        `GLUONISH_CACHE` the folder for compiled graphs.

        Raises
        ------
        InvalidArgumentError
            There is no such backend.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> net.hybridize()
        >>> print(net(mx.nd.ones((1, 2))).asnumpy())
        [[2.]]
        """
        calls.hybridize(self, active, kwargs)

    def hybrid_report(self) -> HybridReport:
        """Return a table of the Block's captured graphs, and of its children's.

        It has a line for each signature: what runs it, seconds it took to capture and to compile,
        microseconds a call before and after; or the file, line and reason why a Block stays in
        Python.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> net.hybridize()
        >>> net(mx.nd.ones((1, 2))).shape
        (1, 1)
        >>> [row.signature for row in net.hybrid_report().rows]
        ['float32(1, 2) cpu(0)']
        """
        return report.report_on(self)

    def to_torch(self, *example: Any) -> TorchModule:
        """Return a `torch.nn.Module` that computes the same and shares the parameters.

        Parameters
        ----------
        *example : Tensor or NDArray, optional
            One batch of data, from which parameters learn shapes that are unknown yet.

        Returns
        -------
        TorchModule
            What `torch.optim`, `torch.compile`, `torch.export`, `torch.onnx.export` and
            `DistributedDataParallel` take. Its `state_dict` has the names of `save_parameters`.

        Raises
        ------
        DeferredInitializationError
            Parameters have no values yet, and no example was given.

        Examples
        --------
        >>> import torch
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1)
        >>> net.initialize(mx.init.Zero())
        >>> module = net.to_torch(torch.ones(1, 2))
        >>> loss = (module(torch.ones(1, 2)) - 1).square().sum()
        >>> loss.backward()
        >>> torch.optim.SGD(module.parameters(), lr=0.25).step()
        >>> print(net.weight.data().asnumpy())
        [[0.5 0.5]]
        """
        return to_torch(self, example)

    @property
    def graph(self) -> fx.GraphModule | None:
        """The captured graph of the latest new signature, or None."""
        latest = None if self._graphs is None else self._graphs.latest
        return None if latest is None else latest.module

    def summary(self, *inputs: Any, details: bool = False) -> None:
        """Print output shape and number of parameters of every layer.

        Parameters
        ----------
        *inputs : NDArray
            One batch of data, which is passed through the network; in Python, also where it is
            hybridized.
        details : bool, default False
            Whether each layer has its share of trained parameters, its multiply-adds for this
            batch (of matrix products and convolutions), and the memory of its output.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(2)
        >>> net.initialize()
        >>> net.summary(mx.nd.ones((4, 3)), details=True)  # doctest: +ELLIPSIS
        -----...
                Layer (type)  ...   Param #  Trained  Multiply-adds      Memory
        =====...
                       Input  ...         0
                     Dense-1  ...         8     100%             24        32 B
        =====...
        Parameters: 8; 8 are trained (100%), 0 are shared
        Multiply-adds of matrix products and convolutions: 24
        Memory: parameters 32 B, outputs of layers 32 B
        -----...
        """
        summary.print_summary(self, inputs, details=details)


class HybridBlock(Block):
    """Block that computes with the operators `F` it is given.

    A subclass defines `hybrid_forward(self, F, x, **params)`, where the parameters arrive as
    arrays by attribute name.

    Parameters
    ----------
    prefix : str, optional
        Start of the names of its parameters and children.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Scale(mx.gluon.HybridBlock):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         self.factor = self.params.get('factor', shape=(1,), init='ones')
    ...     def hybrid_forward(self, F, x, factor):
    ...         return F.broadcast_mul(x, factor)
    >>> net = Scale()
    >>> net.initialize()
    >>> net.hybridize()
    >>> print(net(mx.nd.array([1, 2])).asnumpy())
    [1. 2.]
    """

    @override
    def register_child(self, block: Block, name: str | None = None) -> None:
        """Make another HybridBlock a child; see `Block.register_child`.

        Raises
        ------
        InvalidArgumentError
            The child is no HybridBlock.
        """
        if not isinstance(block, HybridBlock):
            parent = name_of(self) or "the one that takes it"
            msg = (
                f"Children of HybridBlock must also be HybridBlock: {type(self).__name__} "
                f"'{self.name}' was to have {calls.shown(block)} as one. "
                f"{calls.how_to_make_a_child(block, 'HybridLambda', parent)}"
            )
            raise InvalidArgumentError(msg)
        super().register_child(block, name)

    _graph_inputs: Sequence[str] = ()  # of a Block that was made of a graph
    _has_own_forward = False
    _has_own_infer_shape = False

    @override
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._has_own_forward = cls.forward is not HybridBlock.forward
        cls._has_own_infer_shape = cls.infer_shape is not HybridBlock.infer_shape

    @override
    def __call__(self, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Run the Block on data; see `Block.__call__`.

        A plain call does here what `forward` does, and saves a step.
        """
        try:
            graphs = self._graphs
            is_plain = self._looked == deferrals.count and not (
                (self._has_own_forward and graphs is None)
                or self._forward_hooks
                or self._forward_pre_hooks
            )
        except AttributeError as error:
            raise calls.not_constructed(self) from error
        if not is_plain:
            try:
                return super().__call__(x, *args, **kwargs)
            except Exception as error:
                shorten(error)
                raise
        try:
            if graphs is not None:
                if type(x) in FRONTENDS:
                    result = graphs((x, *args), kwargs)
                    is_list = type(result) in _LISTS and is_np_array()
                    return calls.of_one_kind(self, result) if is_list else result
                if is_waiting(x):
                    return in_loops.call(self, (x, *args), kwargs)
                return self._replay(x, *args, **kwargs)
            frontend = FRONTENDS.get(type(x))
            params = {}
            try:
                for name, param in self._reg_params.items():
                    params[name] = param._arrays[x._ctx]
            except (AttributeError, KeyError):
                frontend = None
            if frontend is None:
                if is_waiting(x):
                    return in_loops.call(self, (x, *args), kwargs)
                if composing.has_symbols((x, *args), kwargs):
                    return composing.compose(self, (x, *args), kwargs)
                frontend, params = calls.prepare(self, (x, *args), kwargs)
            result = self.hybrid_forward(frontend, x, *args, **params, **kwargs)
            is_list = type(result) in _LISTS and is_np_array()
            return calls.of_one_kind(self, result) if is_list else result
        except Exception as error:
            explaining.explain(self, error, (x, *args))
            raise

    def optimize_for(
        self, x: NDArray, *args: Any, backend: str | Callable[..., Any] | None = None, **kwargs: Any
    ) -> None:
        """Hybridize for a backend, capture one call, and have it run the fastest way at once.

        What else takes some calls is done before this returns: parameters are folded into what
        is computed of them, if that proves equal and faster.

        Parameters
        ----------
        x, *args : NDArray
            What the Block is called with.
        backend : str or callable, optional
            See `hybridize`.
        **kwargs
            Other arguments of `hybridize`.

        Raises
        ------
        InvalidArgumentError
            There is no such backend.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> net.optimize_for(mx.nd.ones((1, 2)), backend='fx')
        >>> net.graph is not None
        True
        """
        self.hybridize(True, backend=backend, **kwargs)
        self(x, *args)
        if self._graphs is not None:
            self._graphs.decide(x, *args)

    @override
    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Gather the parameters on the data's context and call `hybrid_forward`.

        Symbols make a graph, with the parameters as variables.
        """
        try:
            if composing.has_symbols((x, *args), kwargs):
                return composing.compose(self, (x, *args), kwargs)
            frontend, params = calls.prepare(self, (x, *args), kwargs)
            try:
                return self.hybrid_forward(frontend, x, *args, **params, **kwargs)
            except TypeError as error:
                explaining.explain_signature(self, error, (x, *args))
                composing.check_kinds(self, (x, *args), kwargs)
                raise
        except (MXNetError, TypeError) as error:
            shorten(error)
            raise

    def hybrid_forward(
        self,
        F: Any,  # noqa: ARG002, N803 - named for subclasses
        x: Any,  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """Compute the output with the operators of `F`; overridden by subclasses."""
        msg = (
            f"{type(self).__name__} '{self.name}': hybrid_forward() is not defined. Expected a "
            f"subclass of HybridBlock that defines hybrid_forward(self, F, x, **params)."
            f"{misspelt_method(type(self), 'hybrid_forward')}"
        )
        raise MissingMethodError(msg)

    def export(
        self, path: str | os.PathLike[str], epoch: int = 0, remove_amp_cast: bool = True
    ) -> tuple[str, str]:
        """Write the graph and the parameters, as `SymbolBlock.imports` and MXNet read them.

        Parameters
        ----------
        path : str or path
            What the files' names start with: `path-symbol.json`, `path-0000.params`.
        epoch : int, default 0
            Number in the name of the parameters' file.
        remove_amp_cast : bool, default True
            Whether casts of mixed precision are left out.

        Returns
        -------
        tuple of str
            The files' names.

        Raises
        ------
        ExportError
            What the Block is called with is not known: it was not hybridized and called.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(1, in_units=2, prefix='d_')
        >>> net.initialize()
        >>> net.hybridize()
        >>> y = net(mx.nd.ones((1, 2)))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = net.export(f'{folder}/net')
        ...     [pathlib.Path(file).name for file in files]
        ['net-symbol.json', 'net-0000.params']
        """
        return exporting.export(self, path, epoch, remove_amp_cast)

    def _input_names(self, count: int) -> Sequence[str]:
        """Return what arrays that the Block is called with are called in its graph."""
        return ["data"] if count == 1 else [f"data{number}" for number in range(count)]

    def _get_graph(self, *args: Any) -> tuple[list[Symbol], Any]:
        """Return variables for the arrays of a call, and the graph's outputs."""
        return exporting.graph_of(self, args)

    @property
    def _cached_graph(self) -> tuple[list[Symbol], Any] | tuple[()]:
        """Variables and outputs of the graph of a hybridized Block; () before its first call."""
        return exporting.latest_graph(self)

    @property
    def _in_format(self) -> Any:
        """How the arrays of the first hybridized call are nested; None before it."""
        return self.__dict__.get("_noted_in_format", None) or exporting.formats(self)[0]

    @_in_format.setter
    def _in_format(self, nested: Any) -> None:
        """Take a note for programs that make Blocks of graphs whose inputs are nested."""
        self.__dict__["_noted_in_format"] = nested

    @property
    def _out_format(self) -> Any:
        """How the results of the first hybridized call are nested; None before it."""
        return self.__dict__.get("_noted_out_format", None) or exporting.formats(self)[1]

    @_out_format.setter
    def _out_format(self, nested: Any) -> None:
        """Take a note, as for `_in_format`."""
        self.__dict__["_noted_out_format"] = nested

    def _clear_cached_op(self) -> None:
        """Forget all captured graphs, as Blocks do that change themselves; stay hybridized."""
        if self._graphs is not None:
            self._graphs = calls.graphs_for(self, self._graphs.backend)

    @property
    def _active(self) -> bool:
        """Whether the Block is hybridized."""
        return self._graphs is not None

    def infer_shape(self, *args: Any) -> None:
        """Find the unknown dimensions of all parameters from one batch of data.

        A layer may override it and set the `shape` of its own parameters.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(2)
        >>> net.infer_shape(mx.nd.ones((4, 3)))
        >>> net.weight.shape
        (2, 3)
        """
        first_call.run(self, deferred.infer_shapes, (self, args, {}), {})

    def infer_type(self, *args: Any) -> None:
        """Give every parameter the dtype that follows from the data's.

        Examples
        --------
        >>> import gluonish as mx
        >>> net = mx.gluon.nn.Dense(2)
        >>> net.infer_type(mx.nd.ones((4, 3), dtype='float64'))
        >>> net.weight.dtype
        <class 'numpy.float64'>
        """
        exporting.infer_type(self, args)


def _indent(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line for line in rest)])


measured(Block, "forward", "__call__", label=lambda block: f"{type(block).__name__} '{block.name}'")
