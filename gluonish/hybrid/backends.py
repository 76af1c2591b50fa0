"""Backends: what runs a captured graph."""

from __future__ import annotations

import os
import threading
import time
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import torch

from gluonish.errors import CompileError, InvalidArgumentError
from gluonish.hybrid.program import Program
from gluonish.hybrid.report import say_once
from gluonish.hybrid.tuning import Tuner
from gluonish.ops.nn.batch_gradient import normalize_recorded
from gluonish.process.environment import is_off
from gluonish.process.recording import state
from gluonish.process.torch_names import compile_now

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from torch import Tensor, fx

    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.report import GraphRecord

    class Graph(Protocol):
        """What a backend needs of a captured graph."""

        module: fx.GraphModule
        record: GraphRecord
        run: Run
        writes_inputs: bool

        def settle(self, run: Run) -> None:
            """Run the graph another way from now on."""


BACKENDS_OF_MXNET = ("MKLDNN", "MKLDNN_QUANTIZE", "ONEDNN", "TensorRT")
WRITES_INPUTS = "it writes to what it is called with"
_compiling = threading.RLock()  # torch's compilers are made for one thread


@dataclass
class Backend:
    """How captured graphs are run.

    Attributes
    ----------
    name : str
        'auto', 'fx', or what torch calls it.
    compiler : callable or None
        Takes a graph module and example inputs, returns a callable; None for 'auto' and 'fx'.
    options : dict of str to object
        Options of the compiler.
    is_known : bool
        Whether it is one of torch's, which look inside of all functions of a graph.
    fuses_loops : bool
        Whether graphs that are recorded for gradients may become part of a fused loop.
    asked_by : str
        Who asks for that by name, and says in the log where it can't be; empty for nobody.
    """

    name: str = "auto"
    compiler: Callable[..., Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    is_known: bool = True
    fuses_loops: bool = False
    asked_by: str = ""

    def attach(
        self,
        graph: Graph,
        tensors: Sequence[Tensor],
        *,
        is_recording: bool,
        parameters: int | None = None,
    ) -> None:
        """Make a captured graph run by this backend from its next call on.

        Parameters
        ----------
        graph : Graph
            The graph.
        tensors : sequence of Tensor
            What it was captured with.
        is_recording : bool
            Whether gradients will be asked for.
        parameters : int, optional
            What `Tuner` is told of the graph's parameters.

        Raises
        ------
        CompileError
            A backend that was asked for by name can't compile the graph.
        """
        if self.compiler is not None:
            try:
                program = _program(graph) if self.is_known else None
            except CompileError as error:
                graph.record.state = str(error)
                say_once(f"hybridize(backend={self.name!r}): a graph is replayed instead: {error}")
            else:
                self._compile(graph, program, list(tensors))
        elif self.name == "auto" and graph.writes_inputs:
            graph.record.state = WRITES_INPUTS
        elif self.name == "auto" and not is_recording:
            graph.run = Tuner(graph.module, graph.record, graph.settle, parameters)

    def _compile(self, graph: Graph, program: Program | None, tensors: list[Tensor]) -> None:
        assert self.compiler is not None  # noqa: S101 - for the type checker
        begin = time.perf_counter()
        module, examples = graph.module, [_alone(one) for one in tensors]
        draws = [] if program is None else program.draws
        if program is not None and draws:
            module = program.module()
            examples += program.rehearse_draws()
        try:
            with _compiling, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what compilers say of themselves
                run = self.compiler(module, examples, **self.options)
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            msg = (
                f"hybridize(backend={self.name!r}): the backend refused the graph of "
                f"{graph.record.label}: {type(error).__name__}: {lines[0]}. Expected a graph that "
                f"it can compile. Choose backend='auto' or 'fx'."
            )
            raise CompileError(msg) from error
        if not self.is_known:
            run = _checked(run, self.name, len(_outputs(graph.module)))
        record = graph.record
        record.backend, record.state = self.name, "compiled"
        record.compile = time.perf_counter() - begin
        forward = graph.module.forward
        strides = [tensor.stride() for tensor in tensors]

        def call(given: list[Tensor]) -> Sequence[Tensor]:
            outputs: Sequence[Tensor]
            if [tensor.stride() for tensor in given] != strides:
                outputs = forward(*given)
            elif draws:
                outputs = run(*given, *[draw() for draw in draws])
            else:
                outputs = run(*given)
            return outputs

        graph.run = call


def _outputs(module: fx.GraphModule) -> Sequence[fx.Node]:
    """Return the nodes of a captured graph's results."""
    (output,) = (node for node in module.graph.nodes if node.op == "output")
    return cast("Sequence[fx.Node]", output.args[0])


def _checked(run: object, name: str, count: int) -> Callable[..., Any]:
    """Return a function that a program's own backend gave, which says if its results are wrong."""
    where = f"hybridize(backend={name!r})"
    if not callable(run):
        msg = (
            f"{where}: the backend returned {type(run).__name__}. Expected a callable that takes "
            f"tensors. Return the graph module itself to run it as it is."
        )
        raise CompileError(msg)

    def call(*tensors: Tensor) -> Any:
        outputs = run(*tensors)
        if not isinstance(outputs, (tuple, list)) or len(outputs) != count:
            given = type(outputs).__name__
            if isinstance(outputs, (tuple, list)):
                given += f" of {len(outputs)}"
            msg = (
                f"{where}: the backend's function returned {given}. Expected a tuple of {count}, "
                f"as the graph module gives. Return that."
            )
            raise CompileError(msg)
        return outputs

    return call


def _program(graph: Graph) -> Program:
    """Return the program of a graph.

    Raises
    ------
    CompileError
        The graph holds what a compiler can't look inside.
    """
    if graph.writes_inputs:
        msg = WRITES_INPUTS
        raise CompileError(msg)
    for node in graph.module.graph.nodes:
        if node.target is torch.nn.functional.embedding and node.kwargs.get("sparse"):
            msg = "it has a gradient of storage type 'row_sparse'"
            raise CompileError(msg)
    if state.recording and not state.training:
        for node in graph.module.graph.nodes:
            if node.target is normalize_recorded:
                msg = "its gradient depends on the train_mode that backward() will be given"
                raise CompileError(msg)
    return Program.of(graph.module)


def _alone(tensor: Tensor) -> Tensor:
    """Return a tensor on the same memory, without the graph of gradients that it is part of."""
    return tensor.detach().requires_grad_(tensor.requires_grad)


def resolve(
    backend: str | Callable[..., Any] | None, options: dict[str, Any], where: str
) -> Backend:
    """Return the backend for a name or a callable.

    The environment variable `GLUONISH_BACKEND` takes precedence over what a program says.

    Parameters
    ----------
    backend : str or callable, optional
        'auto', 'fx', a name that torch.compile knows, or a callable that takes a graph module
        and example inputs and returns a callable. None means 'auto', and so do MXNet's names.
    options : dict of str to object
        Options for the backend.
    where : str
        Who asks, for errors.

    Raises
    ------
    InvalidArgumentError
        There is no such backend.
    """
    override = os.environ.get("GLUONISH_BACKEND")
    chosen = override or backend or "auto"
    if override:
        where, options = "the environment variable GLUONISH_BACKEND", {}
    if chosen in BACKENDS_OF_MXNET:  # they make graphs faster, which happens anyway
        chosen, options = "auto", {}
    if callable(chosen):
        name = getattr(chosen, "__name__", type(chosen).__name__)
        return Backend(name, chosen, options, is_known=False)
    if chosen in ("auto", "fx"):
        return Backend(chosen, fuses_loops=chosen == "auto" and not is_off("GLUONISH_FUSE_LOOPS"))
    from torch import _dynamo

    known = [*_dynamo.list_backends(exclude_tags=()), "inductor"]
    if chosen not in known:
        msg = (
            f"{where}: backend={chosen!r} was given. Expected 'auto', 'fx', a callable, or one of "
            f"torch's: {', '.join(sorted(set(known)))}. Leave backend out."
        )
        raise InvalidArgumentError(msg)
    if chosen == "inductor":
        return Backend(chosen, _by_inductor, options)
    return Backend(chosen, _dynamo.lookup_backend(chosen), options)


def _by_inductor(module: Any, examples: list[Tensor], **options: Any) -> Callable[..., Any]:
    return compile_now(module, examples, options or None)


def is_switched_off() -> bool:
    """Return whether the environment variable `GLUONISH_HYBRIDIZE=0` switches capturing off."""
    return is_off("GLUONISH_HYBRIDIZE")
