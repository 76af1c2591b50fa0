"""How probable event times are under a Hawkes process."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import FULL, Graph, op
from gluonish.ops.table.explain import explained


@op(
    nd="contrib.hawkesll",
    outputs=2,
    output_names=("output", "out_state"),
    graph=Graph(own_dtypes=("marks",)),
    precision=FULL,
)
@explained(
    "lda and state of shape (batch, marks), lags and marks of shape (batch, steps). Stack them"
)
def hawkesll(
    lda: Tensor,
    alpha: Tensor,
    beta: Tensor,
    state: Tensor,
    lags: Tensor,
    marks: Tensor,
    valid_length: Tensor,
    max_time: Tensor,
) -> tuple[Tensor, Tensor]:
    """Compute the log likelihood of events, each of which makes more of its kind probable.

    Parameters
    ----------
    lda : Tensor, shape (batch, kinds)
        Background intensities, events per unit of time.
    alpha : Tensor, shape (kinds,)
        How many further events an event causes, on average.
    beta : Tensor, shape (kinds,)
        How fast its influence decays, per unit of time.
    state : Tensor, shape (batch, kinds)
        Influence of earlier events, when the time begins.
    lags : Tensor, shape (batch, steps)
        Time from each event to the next one.
    marks : Tensor, shape (batch, steps)
        Kinds of the events, whole numbers.
    valid_length : Tensor, shape (batch,)
        How many of the steps are events.
    max_time : Tensor, shape (batch,)
        How long was observed.

    Returns
    -------
    Tensor, shape (batch,), and Tensor, shape (batch, kinds)
        The log likelihoods, and the influence when the time ends. Gradients are those of lda, alpha
        and beta.

    Raises
    ------
    InvalidArgumentError
        A mark is no kind.

    Notes
    -----
    With n the number of earlier events of a kind k, weighted by exp(-beta dt), its intensity is
    lda + alpha beta n.

    Examples
    --------
    >>> import gluonish as mx
    >>> one, lags = mx.nd.ones((1,)), mx.nd.array([[0.5, 1]])
    >>> marks = mx.nd.zeros((1, 2), dtype='int32')
    >>> likelihood, state = mx.nd.contrib.hawkesll(
    ...     mx.nd.ones((1, 1)), one * 0.2, one, mx.nd.zeros((1, 1)), lags, marks, one * 2, one * 3)
    >>> print(likelihood.asnumpy().round(3), state.asnumpy().round(3))
    [-3.268] [[0.305]]
    """
    kinds = lda.size(1)
    marks = marks.to(torch.int64)
    if (
        not marks.is_meta
        and marks.numel()
        and not 0 <= int(marks.min()) <= int(marks.max()) < kinds
    ):
        msg = (
            f"contrib.hawkesll: marks from {int(marks.min())} to {int(marks.max())} were given. "
            f"Expected 0 to {kinds - 1}, the columns of lda. Count the kinds from 0."
        )
        raise InvalidArgumentError(msg)
    with torch.no_grad():
        since, lengths = torch.zeros_like(lda), lags.cumsum(1)
    likelihood = torch.zeros_like(lda[:, 0])
    state = state.detach()
    for step in range(lags.size(1)):
        kind = torch.nn.functional.one_hot(marks[:, step], kinds).to(lda.dtype)
        is_event = (step < valid_length).unsqueeze(1).to(lda.dtype)
        elapsed = lengths[:, step : step + 1].detach() - since
        decay = torch.exp(-beta * elapsed)
        intensity = lda + alpha * beta * state * decay
        missed = lda * elapsed + alpha * state * (1 - decay)
        here = kind * is_event
        likelihood = likelihood + (here * (torch.log(intensity) - missed)).sum(1)
        state = torch.where(here > 0, 1 + state * decay, state)
        since = torch.where(here > 0, lengths[:, step : step + 1], since)
    elapsed = max_time.detach().unsqueeze(1) - since
    decay = torch.exp(-beta * elapsed)
    missed = lda * elapsed + alpha * state * (1 - decay)
    return likelihood - missed.sum(1), state * decay
