"""Captured graphs of a Block: made at the first call with a signature, replayed afterwards."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, wrap
from gluonish.array.contexts import context_of, is_one_place
from gluonish.array.tensors import plain, recorded
from gluonish.context import ambient_key
from gluonish.errors import ContextMismatchError, DTypeError, MXNetError, SparseStorageError
from gluonish.hybrid import recorder as recording
from gluonish.hybrid.capture import Capture, CapturedGraph
from gluonish.hybrid.changes import ChangeCounts, Watchers
from gluonish.hybrid.loops import Loop
from gluonish.hybrid.replaying import REPLAY_ERRORS
from gluonish.hybrid.report import GraphRecord
from gluonish.hybrid.results import NOT_EXPECTED
from gluonish.hybrid.structure import flatten, map_arrays, repeats
from gluonish.hybrid.surroundings import Survey, is_same
from gluonish.hybrid.tuning import Tuner
from gluonish.process.heap import pages_apart
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.hybrid.backends import Backend
    from gluonish.hybrid.blocks import Captured, Weight
    from gluonish.hybrid.guards import Guard
    from gluonish.hybrid.known_passes import Known

_log = logging.getLogger("gluonish.hybrid")

MAX_SIGNATURES = 64
PATIENCE = 8  # graphs in a row that were stale at once, before a Block stays in Python
AT_ONCE = 0.1  # seconds


class GraphCache:
    """The captured graphs of one Block, by signature; the oldest goes where there are too many.

    Parameters
    ----------
    block : Block
        Whose forward is captured.
    find_obstacle : callable
        Returns why the Block must not be captured at present, or None.
    initialize : callable
        Finishes deferred initializations for a call's arguments, as far as that is possible.
    backend : Backend
        What runs the graphs.
    """

    def __init__(
        self,
        block: Captured,
        find_obstacle: Callable[[Any], str | None],
        initialize: Callable[[Any, tuple[Any, ...], dict[str, Any]], None],
        backend: Backend,
    ) -> None:
        self._block = block
        self.backend = backend
        self._find_obstacle = find_obstacle
        self._initialize = initialize
        self._graphs: OrderedDict[Any, CapturedGraph] = OrderedDict()
        self._version = ChangeCounts.structure
        self._generation = ChangeCounts.operators
        self._in_python: str | None = None
        self._said: set[str] = set()
        self.is_quiet = False  # about what stays in Python, where nobody has asked for graphs
        self._guards: list[Guard] = []
        self._structure: list[Any] = []
        self._weights: list[Weight] = []
        self._grad_reqs = ChangeCounts.grad_reqs
        self._wants_grad: tuple[bool, ...] = ()
        self._latest = 0.0  # when a graph was captured, in seconds
        self._wasted = 0
        self.call: tuple[Any, ...] | None = None  # the first call, with classes for arrays
        self.known: Known | None = None  # what the latest loop that begins here has become

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Block: by its captured graph where there is one, and capture it where not."""
        known = self.known
        if known is not None and not kwargs:
            result = known.begin(args)
            if result is not NOT_EXPECTED:
                return result
        found = None if recording.is_capturing() else self._found(args, kwargs)
        if found is None:
            return self._block.forward(*args, **kwargs)
        key, inputs = found
        graph = self._graphs.get(key)
        if graph is None:
            with pages_apart():
                result = self._capture(key, inputs, args, kwargs)
            if self.call is None:
                self.call = map_arrays(type, args)
            return result
        try:
            return graph(inputs) if graph.enter is None else graph.enter(inputs)
        except REPLAY_ERRORS as error:
            self._tell(error, args, kwargs)
            raise

    def tell(self, error: Exception, tensors: Sequence[Tensor]) -> None:
        """Raise what the Block says of a call that its graph fails at, if it says anything."""
        given = iter(tensors)
        args = map_arrays(
            lambda kind: wrap(tensor := next(given), context_of(tensor), kind), self.call, type
        )
        self._tell(error, args, {})

    def _tell(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if isinstance(error, (MXNetError, torch.AcceleratorError)):
            return
        counted = [
            plain(array)
            for weight in self._weights
            if weight.grad_req == "null"
            for array in weight._arrays.values()
        ]
        before = [values.clone() for values in counted]
        try:
            self._block.forward(*args, **kwargs)
        except MXNetError as told:
            raise told from error
        finally:
            with torch.no_grad():
                for array, values in zip(counted, before, strict=True):
                    array.copy_(values)

    def graph_for(self, *args: Any) -> tuple[CapturedGraph | None, Sequence[NDArray]]:
        """Return the graph that a call would run, or None, and the arrays it would run on."""
        found = None if recording.is_capturing() else self._found(args, {})
        return (None, ()) if found is None else (self._graphs.get(found[0]), found[1])

    def decide(self, *args: Any) -> None:
        """Have the graph of a call fold its parameters at once, if that pays."""
        graph, inputs = self.graph_for(*args)
        if graph is not None and isinstance(graph.run, Tuner):
            graph.run.decide(graph.tensors(inputs))

    def _found(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Any, Sequence[NDArray]] | None:
        """Return signature and arrays of a call; None if it is to run in Python."""
        if self._version != ChangeCounts.structure:
            self._look_again()
        if self._in_python is not None:
            return None
        for guard in self._guards:
            if not guard.holds():
                self.forget(f"{guard.what} changes from call to call")
                break
        if self._grad_reqs != ChangeCounts.grad_reqs:
            self._look_at_grad_reqs()
        signature: list[Any] = [
            state.recording, state.training, ambient_key(), self._wants_grad,
        ]  # fmt: skip
        inputs: Sequence[NDArray] = args
        is_flat = not kwargs
        try:
            for array in args:
                if not isinstance(array, NDArray):
                    is_flat = False
                    break
                tensor = array._tensor
                if tensor.requires_grad and state.recording:
                    tensor = recorded(array)
                signature += (
                    type(array), array._ctx, tensor.shape, tensor.dtype, tensor.requires_grad,
                )  # fmt: skip
        except SparseStorageError:  # graphs are called with dense arrays
            return None
        if is_flat:
            if len(args) > 1:
                signature.append(repeats(args))
            return tuple(signature), inputs
        found: list[NDArray] = []
        try:
            signature[4:] = [flatten((args, kwargs), found), repeats(found)]
        except SparseStorageError:
            return None
        except DTypeError as error:
            if not isinstance(next(iter(args), None), onp.ndarray):  # which Blocks refuse
                self._stay(str(error))
            return None
        return tuple(signature), found

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Block; see `__call__`."""
        return self(args, kwargs)

    def has(self, graph: CapturedGraph) -> bool:
        """Return whether a graph is still what a call like its own would run."""
        if self._version != ChangeCounts.structure:
            self._look_again()
        if graph not in self._graphs.values() or self._grad_reqs != ChangeCounts.grad_reqs:
            return False
        for guard in self._guards:  # noqa: SIM110 - a generator costs as much as all the rest
            if not guard.holds():
                return False
        return True

    def flat_key(self, graph: CapturedGraph) -> list[Any] | None:
        """Return what the arguments of a graph are like, as `key_of` does; None if not all that."""
        for key, one in self._graphs.items():
            if one is graph and len(key) - 4 in (5 * graph.inputs, 5 * graph.inputs + 1):
                is_apart = key[4 + 5 * graph.inputs :] in ((), (None,))
                return [key[:3], *key[4 : 4 + 5 * graph.inputs]] if is_apart else None
        return None

    def _look_again(self) -> None:
        """Keep the graphs if what has changed somewhere is not theirs."""
        self._version = ChangeCounts.structure
        is_theirs = (
            not self._graphs
            or self._generation != ChangeCounts.operators
            or self._find_obstacle(self._block) is not None
            or not is_same(self._structure, Survey(self._block).structure())
        )
        if is_theirs:
            self.clear()

    def clear(self) -> None:
        """Forget all graphs."""
        self._graphs.clear()
        self.known = None
        self._guards = []
        self._in_python = None
        self._version = ChangeCounts.structure
        self._generation = ChangeCounts.operators

    def kept(self) -> dict[str, Any]:
        """Return what there is, for a call that may fail."""
        return vars(self) | {"_graphs": self._graphs.copy()}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go back to what there was."""
        vars(self).update(kept)

    def forget(self, reason: str) -> None:
        """Forget all graphs, and capture no more if that happens again and again."""
        self.clear()
        self._wasted = self._wasted + 1 if time.perf_counter() - self._latest < AT_ONCE else 0
        if self._wasted >= PATIENCE:
            self._stay(reason)

    @property
    def graphs(self) -> list[CapturedGraph]:
        """The graphs there are, in the order of their capture."""
        return list(self._graphs.values())

    @property
    def latest(self) -> CapturedGraph | None:
        """The graph that was captured last."""
        return next(reversed(self._graphs.values()), None)

    @property
    def in_python(self) -> str | None:
        """Why the Block is not captured, or None."""
        return self._in_python

    def _look_at_grad_reqs(self) -> None:
        self._grad_reqs = ChangeCounts.grad_reqs
        self._wants_grad = tuple(weight.grad_req != "null" for weight in self._weights)

    def _check_places(self, inputs: Sequence[NDArray]) -> None:
        """Refuse arrays of several contexts, as MXNet does where `hybridize` was called."""
        for array in inputs[1:]:
            if not is_one_place(inputs[0]._ctx, array._ctx):
                msg = (
                    f"{type(self._block).__name__}: Find multiple contexts in the input: "
                    f"{inputs[0]._ctx} and {array._ctx}. After hybridize() a Block takes arrays of "
                    f"one context. Move one with x.as_in_context({inputs[0]._ctx})."
                )
                raise ContextMismatchError(msg)

    def _capture(
        self, key: Any, inputs: Sequence[NDArray], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        forward = self._block.forward
        if not self.is_quiet:
            self._check_places(inputs)
        reason = self._find_obstacle(self._block)
        survey = Survey(self._block)
        if reason is None:
            reason = survey.obstacle
        if reason is not None:
            self._stay(reason)
            return forward(*args, **kwargs)
        if not all(weight._arrays for weight in survey.weights.values()):
            self._initialize(self._block, args, kwargs)
            survey = Survey(self._block)
        weights = list(survey.weights.values())
        capture = Capture(inputs, weights, survey.arrays)
        if capture.is_ambiguous or not all(weight._arrays for weight in weights):
            return forward(*args, **kwargs)
        version = ChangeCounts.structure
        begin = time.perf_counter()
        with capture.recorder:
            result = forward(*args, **kwargs)
        reason = self._reason(capture, survey, (args, kwargs))
        if reason is None and version == ChangeCounts.structure:
            try:
                graph = capture.finish(result)
            except DTypeError as error:
                reason = f"{self._place()}: {error}"
            else:
                graph.record = GraphRecord(describe(inputs))
                graph.record.capture = time.perf_counter() - begin
                self._keep(key, graph, survey, inputs)
                if state.recording:
                    found: list[NDArray] = []
                    flatten(result, found)
                    graph.find_unreached(
                        [array for array in found if not any(array is each for each in inputs)],
                        inputs,
                    )
        if reason is not None:
            self._stay(reason)
        return result

    def _reason(self, capture: Capture, survey: Survey, arguments: tuple[Any, ...]) -> str | None:
        """Return why a captured call must not be replayed, or None."""
        if capture.recorder.obstacle is not None:
            return str(capture.recorder.obstacle)
        reason = survey.changed() or capture.rebound()
        if reason is None and not capture.is_called_with(arguments):
            reason = "a list or dictionary among the arguments is changed"
        return None if reason is None else f"{self._place()}: {reason}"

    def _keep(
        self, key: Any, graph: CapturedGraph, survey: Survey, inputs: Sequence[NDArray]
    ) -> None:
        graph.cache = self
        tensors = graph.tensors(inputs)
        parameters = None if state.recording or state.training else len(inputs)
        self.backend.attach(
            graph, tensors, is_recording=bool(state.recording), parameters=parameters
        )
        if state.recording and state.training and self.backend.fuses_loops:
            graph.enter = Loop(graph, self.backend.asked_by)
        if not survey.holds():
            survey = Survey(self._block)
        self._guards = survey.guards
        self._structure = survey.structure()
        if self._weights != list(survey.weights.values()):
            self._weights = list(survey.weights.values())
            self._look_at_grad_reqs()
            key = (*key[:3], self._wants_grad, *key[4:])
        for block in survey.blocks:
            block.__dict__.setdefault("_watchers", Watchers()).add(self)
        self._graphs[key] = graph
        self._latest = time.perf_counter()
        if len(self._graphs) > MAX_SIGNATURES:
            self._graphs.popitem(last=False)

    def _place(self) -> str:
        """Return where the Block's program is."""
        cls = type(self._block)
        function = getattr(cls, "hybrid_forward", None)
        if function is None or function.__module__.startswith("gluonish."):
            function = cls.forward
        code = function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def _stay(self, reason: str) -> None:
        self.clear()
        self._in_python = reason
        if reason in self._said or self.is_quiet:
            return
        self._said.add(reason)
        _log.warning(
            "hybridize: %s '%s' stays in Python, its children are captured each for itself: %s",
            type(self._block).__name__,
            self._block.name,
            reason,
        )


def describe(inputs: Sequence[NDArray]) -> str:
    """Return a graph's signature, for people."""
    parts = [
        f"{str(array._tensor.dtype).removeprefix('torch.')}{tuple(array._tensor.shape)}"
        for array in inputs
    ]
    places = sorted({str(array._ctx) for array in inputs})
    modes = [name for name, on in (("record", state.recording), ("train", state.training)) if on]
    return " ".join([", ".join(parts) or "no arrays", *places, *modes])
