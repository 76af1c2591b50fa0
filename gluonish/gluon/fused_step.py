"""FusedStep: forward, loss, gradients and the optimizer's update in one call."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.autograd import record
from gluonish.block import Block
from gluonish.block.calls import graphs_for
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.clipping import step_clipped
from gluonish.gluon.fusing import ON_SEVERAL, WHERE, step_judge
from gluonish.gluon.loss_scaling import head_gradient, set_scale
from gluonish.gluon.sharing import joined, split
from gluonish.gluon.trainer import Trainer
from gluonish.hybrid.backends import Backend, is_switched_off, resolve
from gluonish.hybrid.report import HybridReport, report_on, row_of, say_once
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.context import Context
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.judging import Judge


class FusedStep:
    """A whole training step: forward, loss, gradients, and the optimizer's update.

    The first steps are the plain loop's (`record`, `backward`, `Trainer.step`) with a captured
    graph of net and loss. Meanwhile another process compiles all of it into one graph, which is
    adopted once it gives the same results faster. Parameters, the optimizer's states and update
    counts are the Trainer's own, so that the plain loop may take over at any time, and
    `save_states` is the same. What can't be one graph stays the plain loop, with one line of
    the log.

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
    `param.grad()` is that of the last plain step. Gradients with `grad_req='add'` are kept.

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
            own = Backend("auto") if self._is_compiled else chosen
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
        contexts = self._contexts()
        if len(contexts) > 1:
            if self._is_compiled:
                say_once(f"{WHERE}: parameter {self.trainer._params[0].name} {ON_SEVERAL}")
            parts = [self._plain_part(part) for part in split((*inputs, *labels), contexts)]
            self._update()
            return joined(parts)
        return self._step((*inputs, *labels))

    def _contexts(self) -> list[Context]:
        params = self.trainer._params
        return params[0].list_ctx() if params and len(copies_of(params[0])) > 1 else []

    def _workers(self) -> int:
        """Return of how many processes gradients are summed."""
        self.trainer.prepare()
        store: Any = self.trainer._kvstore
        return 1 if store is None or not getattr(store, "is_in_step", True) else store.num_workers

    def _step(self, args: tuple[Any, ...]) -> Any:
        """Do the step the way that the judge of its graph says."""
        with record():
            graph, inputs, judge = self._judged(args)
            if graph is not None:
                tensors = graph.tensors(inputs)
        if graph is None or judge is None:
            result = self._plain_part(args)
            self._update()
            return result
        results = []
        is_apart = self.trainer._kvstore is not None  # what follows is no part of any graph

        def plainly(tensors: list[Tensor]) -> Sequence[Tensor]:
            with record():
                outputs = graph.outputs(tensors)
            results.append(graph.result(outputs, inputs))
            self._go_back(results[0])
            if not is_apart:
                self._update()
            return outputs

        outputs = judge(tensors, plainly)
        if is_apart:
            self._update()
        return results[0] if results else graph.result(outputs, inputs)

    def _judged(
        self, args: tuple[Any, ...]
    ) -> tuple[CapturedGraph | None, Sequence[NDArray], Judge | None]:
        cache = self._objective._graphs
        if cache is None or not self._is_compiled:
            return None, (), None
        graph, inputs = cache.graph_for(*args)
        return graph, inputs, None if graph is None else step_judge(graph, self)

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
        if scaler is None:
            loss.backward()
        else:
            loss.backward(head_gradient(loss, set_scale(self.trainer, scaler)))

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

    def hybrid_report(self) -> HybridReport:
        """Return a table of the steps, one line for each signature; see `Block.hybrid_report`."""
        cache = self._objective._graphs
        judges = [j for graph in (cache.graphs if cache else ()) for j in graph.judges.values()]
        rows = [row_of(self._objective, judge.record) for judge in judges]
        return HybridReport(rows or report_on(self._objective).rows)


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
        (isinstance(net, Block), "net", net, "a Block"),
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
