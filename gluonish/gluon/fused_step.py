"""FusedStep: forward, loss, gradients and the optimizer's update in one call."""

from __future__ import annotations

import functools
import numbers
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.scaling import by_norm, by_number
from gluonish.autograd import record
from gluonish.block import Block
from gluonish.block.calls import graphs_for
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.clipping import step_clipped
from gluonish.gluon.loss import Loss
from gluonish.gluon.loss_scaling import set_scale
from gluonish.gluon.sharing import joined, split
from gluonish.gluon.trainer import Trainer
from gluonish.gluon.trainer_plan import ON_SEVERAL, TrainerPlan
from gluonish.hybrid.backends import Backend, is_switched_off, resolve
from gluonish.hybrid.report import HybridReport, report_on, row_of, say_once
from gluonish.hybrid.steps import Scaling
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from gluonish.gluon.loss_scaling import LossScaler
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.loop_steps import LoopStep
    from gluonish.hybrid.loops import Loop
    from gluonish.hybrid.report import GraphRecord

__all__ = ["FusedStep"]

WHERE = "FusedStep: the plain loop goes on, a step is not compiled"
_CLIPPING = (Scaling(by_norm, ()),)
_CLIPPING_UNSCALED = (Scaling(by_number, ()), *_CLIPPING)
_updating = functools.partial(TrainerPlan, keeps=False)
_adding = functools.partial(TrainerPlan, updates=False)


class FusedStep:
    """A whole training step: forward, loss, gradients, and the optimizer's update.

    The first steps are the plain loop's (`record`, `backward`, `Trainer.step`), which becomes one
    graph as any loop of a hybridized net does, but sooner, and however long a step takes. That
    graph is replayed, until another process has compiled it and it gives the same results
    faster. Parameters, the optimizer's states and update counts are the Trainer's own, so that
    the plain loop may take over at any time, and `save_states` is the same. What can't be one
    graph stays the plain loop, with one line of the log.

    Where the Trainer has a store, of several processes for example, forward, loss and gradients
    are one graph, and the store sums the gradients and updates, or has the Trainer do it. Where
    parameters are on several contexts, each context gets a part of every array, and the plain
    loop stays.

    Parameters
    ----------
    net : Block
        Called with the data.
    loss : callable
        Called with the net's results and the labels; returns the loss, or a tuple with the loss
        first.
    trainer : Trainer
        Updates the parameters.
    clip_norm : float, optional
        The norm of all gradients together is scaled down to this, before they are divided by
        the batch size.
    backend : {'auto', 'fx'}, optional
        'fx' stays with the plain loop.

    Notes
    -----
    A compiled step computes no gradient but those of the Trainer's parameters, and keeps none:
    `param.grad()` is that of the last step before it was compiled. Gradients with
    `grad_req='add'` are kept.

    After `contrib.amp.init_trainer(trainer)` the loss is scaled, as by `amp.scale_loss`, and
    nothing is updated nor counted where a gradient is infinite or NaN. The scale is a number that
    a compiled step is given, so that it may change.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    >>> step = mx.gluon.FusedStep(net, mx.gluon.loss.L2Loss(), trainer)
    >>> data, label = mx.nd.array([[2.]]), mx.nd.array([[0.]])
    >>> print(step(data, label).asnumpy(), net.weight.data().asnumpy())
    [2.] [[-1.]]
    """

    def __init__(
        self,
        net: Block,
        loss: Callable[..., Any],
        trainer: Trainer,
        clip_norm: float | None = None,
        backend: str | None = None,
    ) -> None:
        _check(net, loss, trainer, clip_norm)
        if backend not in (None, "auto", "fx"):
            msg = (
                f"FusedStep: backend={backend!r} was given. Expected 'auto' or 'fx'. Leave "
                f"backend out."
            )
            raise InvalidArgumentError(msg)
        self.net, self.loss, self.trainer = net, loss, trainer
        self.clip_norm = clip_norm
        self.updates = True
        self.batch_size: float = 1
        self._objective = Step(net, loss)
        self._is_compiled = False
        if not is_switched_off():
            chosen = resolve(backend, {}, "FusedStep")
            self._is_compiled = chosen.name == "auto"
            own = Backend("auto", fuses_loops=True, asked_by=WHERE) if self._is_compiled else chosen
            self._objective._graphs = graphs_for(self._objective, own)

    def __call__(
        self,
        data: Any,
        label: Any,
        batch_size: float | None = None,
        update: bool = True,
    ) -> Any:
        """Train on one batch.

        Parameters
        ----------
        data : NDArray, or list or tuple of NDArray
            What the net is called with.
        label : NDArray, or list or tuple of NDArray
            What the loss is called with, after the net's results.
        batch_size : int, optional
            What gradients are divided by; the length of the first array of data by default, times
            the number of workers whose gradients are summed.
        update : bool, default True
            Whether the parameters are updated; otherwise gradients are only added up, which
            takes parameters with `grad_req='add'`.

        Returns
        -------
        NDArray, or what the loss returned
            The loss for each sample, before the update.

        Raises
        ------
        InvalidArgumentError
            `update=False` for parameters whose gradients are not added up.
        """
        inputs = tuple(data) if isinstance(data, (list, tuple)) else (data,)
        labels = tuple(label) if isinstance(label, (list, tuple)) else (label,)
        if batch_size is None:
            batch_size = _length(inputs) * self._workers()
        if not update:
            self._check_that_gradients_add_up()
        self.batch_size, self.updates = batch_size, update
        if len(inputs) != self._objective.inputs:
            self._objective.inputs = len(inputs)
        params = self.trainer._params
        if params and len(params[0]._arrays) > 1:
            contexts = params[0].list_ctx()
            if self._is_compiled:
                say_once(f"{WHERE}: parameter {params[0].name} {ON_SEVERAL}")
                for graph in self._captured():
                    if graph.enter is not None and graph.enter.waits:
                        graph.enter.wait_no_more("there are several contexts")
            parts = [self._plain_part(part) for part in split((*inputs, *labels), contexts)]
            self._update()
            return joined(parts)
        return self._step((*inputs, *labels))

    def _workers(self) -> int:
        """Return of how many processes gradients are summed."""
        self.trainer.prepare()
        store: Any = self.trainer._kvstore
        return 1 if store is None or not getattr(store, "is_in_step", True) else store.num_workers

    def _step(self, args: tuple[Any, ...]) -> Any:
        """Do the step at once where that is known to work, and as the loop that it is elsewhere."""
        cache, loop = self._objective._graphs, None
        if self._is_compiled and cache is not None:
            with record():
                graph, inputs = cache.graph_for(*args)
            loop = None if graph is None else graph.enter
        if loop is not None and loop.waits:
            scaler = self.trainer._amp_loss_scaler
            step = self._known(loop, scaler)
            if step is not None:
                more, numbers = self._numbers(scaler)
                result, is_done = loop.at_once(step, inputs, more, numbers)
                if not is_done:
                    self._go_back(result)
                    self._update()
                return result
        result = self._plain_part(args)
        self._update()
        return result

    def _known(self, loop: Loop, scaler: LossScaler | None) -> LoopStep | None:
        """Return the step that a loop has become; None if it can't be done at once."""
        trainer = self.trainer
        if trainer._kvstore is not None:
            loop.wait_no_more("gradients are summed before the update")
            return None
        if loop.calls != (1 if scaler is None else 2):
            loop.forget()  # since the loss is scaled from now on, or is no more
            return None
        if not self.updates:
            return loop.step_by(trainer, _adding, (), updates=False)
        rules: tuple[Scaling, ...] = ()
        if self.clip_norm is not None:
            rules = _CLIPPING if scaler is None else _CLIPPING_UNSCALED
        return loop.step_by(trainer, _updating, rules)

    def _numbers(self, scaler: LossScaler | None) -> tuple[list[Tensor], list[float]]:
        """Return the factor on the loss, if there is one, and the numbers of the scalings."""
        trainer, max_norm = self.trainer, self.clip_norm if self.updates else None
        more: list[Tensor] = []
        numbers = [] if max_norm is None else [max_norm]
        if scaler is not None:
            more.append(torch.tensor(set_scale(trainer, scaler)))
            if max_norm is not None:
                numbers = [trainer._scale, max_norm]
                trainer._scale = 1.0
        if self.updates:
            trainer._optimizer.rescale_grad = trainer.scale_for(self.batch_size)
        return more, numbers

    def _plain_part(self, args: tuple[Any, ...]) -> Any:
        """Compute the loss and gradients of what is on one context."""
        with record():
            result = self._objective(*args)
        self._go_back(result)
        return result

    def _go_back(self, result: Any) -> None:
        """Compute gradients as the plain loop does it."""
        loss = result[0] if isinstance(result, (list, tuple)) and result else result
        if not isinstance(loss, NDArray):
            raise _no_loss(loss)
        scaler = self.trainer._amp_loss_scaler
        if scaler is not None:
            set_scale(self.trainer, scaler)
            with record():
                loss = scaler.scaled(loss)
        loss.backward()

    def _update(self) -> None:
        """Sum gradients and update as the plain loop does it."""
        trainer = self.trainer
        if not self.updates:
            return
        if self.clip_norm is None:
            trainer.step(self.batch_size)
            return
        step_clipped(trainer, self.batch_size, self.clip_norm, trainer._params)

    def _check_that_gradients_add_up(self) -> None:
        for param in self.trainer._params:
            if param.grad_req == "write":
                msg = (
                    f"FusedStep: update=False was given, and parameter '{param.name}' has "
                    f"grad_req='write', which forgets its gradient. Expected 'add'. Call "
                    f"net.collect_params().setattr('grad_req', 'add') first, and "
                    f"net.collect_params().zero_grad() after each update."
                )
                raise InvalidArgumentError(msg)

    def _captured(self) -> list[CapturedGraph]:
        cache = self._objective._graphs
        return [] if cache is None else cache.graphs

    def hybrid_report(self) -> HybridReport:
        """Return a table of the steps, one line for each signature; see `Block.hybrid_report`."""
        rows = [
            row_of(self._objective, record)
            for graph in self._captured()
            for record in _records(graph)
        ]
        return HybridReport(rows or report_on(self._objective).rows)


def _records(graph: CapturedGraph) -> list[GraphRecord]:
    """Return what there is to tell of a graph, or of what it has become; and why not of more."""
    loop = graph.enter
    found = [] if loop is None else list(loop.records() if loop.falls_short else loop.became())
    return found or [graph.record]


class Step(Block):
    """Net and loss as one Block, called with inputs and labels one after the other.

    A report names it so, with the name of the net.
    """

    def __init__(self, net: Block, loss: Callable[..., Any]) -> None:
        super().__init__(prefix=f"{net.name}_")
        self.net = net
        self.loss = loss
        self.inputs = 1

    @override
    def forward(self, *args: Any) -> Any:
        """Return what the loss gives."""
        outputs = self.net(*args[: self.inputs])
        if not isinstance(outputs, (list, tuple)):
            outputs = (outputs,)
        return self.loss(*outputs, *args[self.inputs :])


def _no_loss(given: object) -> InvalidArgumentError:
    msg = (
        f"FusedStep: loss(...) returned {type(given).__name__}. Expected an array with the loss of "
        f"each sample, or a tuple that begins with it. Return that from the loss."
    )
    return InvalidArgumentError(msg)


def _length(inputs: tuple[Any, ...]) -> int:
    for one in inputs:
        if isinstance(one, NDArray) and one.ndim:
            return one.shape[0]
    msg = (
        "FusedStep: batch_size is not given, and data has no array with axes. Expected an array "
        "of samples. Pass batch_size."
    )
    raise InvalidArgumentError(msg)


def _is_norm(value: Any) -> bool:
    return value is None or (isinstance(value, numbers.Real) and float(value) > 0)


def _check(net: Any, loss: Any, trainer: Any, clip_norm: Any) -> None:
    expected = (
        (isinstance(net, Block) and not isinstance(net, Loss), "net", net, "a Block"),
        (callable(loss), "loss", loss, "a callable, such as gluon.loss.L2Loss()"),
        (isinstance(trainer, Trainer), "trainer", trainer, "a gluon.Trainer"),
        (_is_norm(clip_norm), "clip_norm", clip_norm, "a positive number or None"),
    )
    for holds, name, value, what in expected:
        if not holds:
            msg = (
                f"FusedStep: {name}={value!r} was given. Expected {what}. Write "
                f"FusedStep(net, loss, trainer)."
            )
            raise InvalidArgumentError(msg)


measured(FusedStep, "step", "__call__")
