"""Captured graphs of a Block: made at the first call with a signature, replayed afterwards."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from torch import fx

from gluonish.ambient import state
from gluonish.array import NDArray
from gluonish.array.core import new, plain
from gluonish.hybrid import recorder as recording
from gluonish.hybrid.recorder import Recorder
from gluonish.hybrid.structure import flatten, map_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from torch import Tensor

    from gluonish.context import Context

    class Weight(Protocol):
        """The part of a parameter that a captured graph needs."""

        name: str
        _arrays: dict[Context, NDArray]


_log = logging.getLogger("gluonish.hybrid")

MAX_SIGNATURES = 64


class Structure:
    """Counts changes to any Block's children, parameters and hooks; captured graphs watch it."""

    version = 0

    @classmethod
    def changed(cls) -> None:
        """Make every captured graph stale."""
        cls.version += 1


class Graph:
    """One captured call: a `torch.fx.GraphModule` and what goes in and comes out."""

    __slots__ = ("_forward", "_results", "_single", "_weights", "module")

    def __init__(
        self,
        module: fx.GraphModule,
        weights: list[tuple[Weight, Context]],
        results: Callable[[tuple[Tensor, ...]], Any],
        single: tuple[type[NDArray], Context] | None,
    ) -> None:
        self.module = module
        self._forward = module.forward
        self._weights = weights
        self._results = results
        self._single = single

    def __call__(self, inputs: Sequence[NDArray]) -> Any:
        """Run the graph on arrays, with the parameters' present values."""
        if state.recording:
            tensors = [array._tensor for array in inputs]
            for weight, ctx in self._weights:
                tensors.append(weight._arrays[ctx]._tensor)
        else:
            tensors = []
            for array in inputs:
                tensor = array._tensor
                tensors.append(plain(array) if tensor.requires_grad else tensor)
            for weight, ctx in self._weights:
                array = weight._arrays[ctx]
                tensor = array._tensor
                tensors.append(array._plain if tensor.requires_grad else tensor)
        outputs = self._forward(*tensors)
        if self._single is None:
            return self._results(outputs)
        result = new(self._single[0])
        result._tensor = outputs[0]
        result._ctx = self._single[1]
        return result


class GraphCache:
    """The captured graphs of one Block, by signature; the oldest goes where there are too many.

    Parameters
    ----------
    name : str
        How the Block is named in the log.
    forward : callable
        What is captured.
    weights : callable
        Returns the parameters of the Block and its children.
    obstacle : callable
        Returns why the Block must not be captured at present, or None.
    initialize : callable
        Finishes deferred initializations for a call's arguments, as far as that is possible.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        weights: Callable[[], Iterable[Weight]],
        obstacle: Callable[[], str | None],
        initialize: Callable[[tuple[Any, ...], dict[str, Any]], None],
    ) -> None:
        self._name = name
        self._forward = forward
        self._weights = weights
        self._find_obstacle = obstacle
        self._initialize = initialize
        self._graphs: OrderedDict[Any, Graph] = OrderedDict()
        self._version = Structure.version
        self._in_python: str | None = None

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Block: by its captured graph where there is one, and capture it where not."""
        if recording.is_capturing():
            return self._forward(*args, **kwargs)
        if self._version != Structure.version:
            self.clear()
        if self._in_python is not None:
            return self._forward(*args, **kwargs)
        signature: list[Any] = [state.recording, state.training]
        for array in args:
            if not isinstance(array, NDArray):
                break
            tensor = array._tensor
            signature += (type(array), array._ctx, tensor.shape, tensor.dtype)
        else:
            if not kwargs:
                return self._run(tuple(signature), args, args, kwargs)
        inputs: list[NDArray] = []
        key = (flatten((args, kwargs), inputs), state.recording, state.training)
        return self._run(key, inputs, args, kwargs)

    def _run(
        self, key: Any, inputs: Sequence[NDArray], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        graph = self._graphs.get(key)
        if graph is None:
            return self._capture(key, inputs, args, kwargs)
        return graph(inputs)

    def clear(self) -> None:
        """Forget all graphs."""
        self._graphs.clear()
        self._in_python = None
        self._version = Structure.version

    @property
    def latest(self) -> Graph | None:
        """The graph that was captured last."""
        return next(reversed(self._graphs.values()), None)

    @property
    def in_python(self) -> str | None:
        """Why the Block is not captured, or None."""
        return self._in_python

    def _capture(
        self, key: Any, inputs: Sequence[NDArray], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        reason = self._find_obstacle()
        if reason is not None:
            self._stay(reason)
            return self._forward(*args, **kwargs)
        if not all(weight._arrays for weight in self._weights()):
            self._initialize(args, kwargs)
        parameters = list(self._weights())
        if not all(weight._arrays for weight in parameters):
            return self._forward(*args, **kwargs)
        weights = [(weight, ctx) for weight in parameters for ctx in weight._arrays]
        recorder = _recorder_for(inputs, weights)
        with recorder:
            result = self._forward(*args, **kwargs)
        if recorder.obstacle is not None:
            self._stay(str(recorder.obstacle))
            return result
        self._graphs[key] = _finish(recorder, weights, result)
        if len(self._graphs) > MAX_SIGNATURES:
            self._graphs.popitem(last=False)
        return result

    def _stay(self, reason: str) -> None:
        self._in_python = reason
        _log.warning(
            "hybridize: %s stays in Python, its children are captured each for itself: %s",
            self._name,
            reason,
        )


def _recorder_for(inputs: Sequence[NDArray], weights: list[tuple[Weight, Context]]) -> Recorder:
    arrays = [(f"input{i}", array) for i, array in enumerate(inputs)]
    arrays += [(weight.name, weight._arrays[ctx]) for weight, ctx in weights]
    recorder = Recorder(
        [(_identifier(name), [_seen(array)]) for name, array in _distinct(arrays)]
    )
    for _, array in arrays:
        if array._tensor.requires_grad and state.recording:
            recorder.add_detached(plain(array), array._tensor)
    return recorder


def _seen(array: NDArray) -> Tensor:
    return array._tensor if state.recording else plain(array)


def _distinct(arrays: list[tuple[str, NDArray]]) -> list[tuple[str, NDArray]]:
    """Number the names that occur for several contexts."""
    seen: dict[str, int] = {}
    named = []
    for name, array in arrays:
        count = seen[name] = seen.get(name, -1) + 1
        named.append((f"{name}_on_{count}" if count else name, array))
    return named


def _identifier(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _finish(
    recorder: Recorder, weights: list[tuple[Weight, Context]], result: Any
) -> Graph:
    nodes: list[fx.Node] = []
    kinds: list[tuple[type[NDArray], Context]] = []

    def place(array: NDArray) -> _Slot:
        tensor = array._tensor
        if tensor.requires_grad and not state.recording:
            tensor = plain(array)
        nodes.append(recorder.node_of(tensor))
        kinds.append((type(array), array._ctx))
        return _Slot(len(kinds) - 1)

    template = map_arrays(place, result)
    recorder.graph.output(tuple(nodes))
    recorder.graph.lint()
    module = fx.GraphModule(recorder.root, recorder.graph)
    single = kinds[0] if isinstance(template, _Slot) else None

    def rebuild(outputs: tuple[Tensor, ...]) -> Any:
        return _fill(template, outputs, kinds)

    return Graph(module, weights, rebuild, single)


class _Slot:
    """Where an output of the graph goes in the Block's result."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


def _fill(
    template: Any, outputs: tuple[Tensor, ...], kinds: list[tuple[type[NDArray], Context]]
) -> Any:
    if isinstance(template, _Slot):
        cls, ctx = kinds[template.position]
        array = new(cls)
        array._tensor = outputs[template.position]
        array._ctx = ctx
        return array
    if isinstance(template, dict):
        return type(template)((k, _fill(v, outputs, kinds)) for k, v in template.items())
    if isinstance(template, tuple) and hasattr(template, "_fields"):
        return type(template)(*(_fill(part, outputs, kinds) for part in template))
    if isinstance(template, (list, tuple)):
        return type(template)(_fill(part, outputs, kinds) for part in template)
    return template


