"""Dropout, with the masks that MXNet draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError
from gluonish.ops.random.draws import dropout_mask
from gluonish.ops.table import EITHER, Graph, Quantized, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import check_floats
from gluonish.ops.table.inference import like_first
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


_MODES = ("always", "training")


@op(
    nd="Dropout",
    npx="dropout",
    reverse=like_first,
    graph=Graph(names_input=True, outputs=2),
    precision=EITHER,
    quantized=Quantized(role="nothing"),
    choices={"mode": _MODES},
)
def dropout(
    data: Tensor,
    p: float = 0.5,
    mode: str = "training",
    axes: Sequence[int] | None = (),
    cudnn_off: bool | None = False,  # noqa: ARG001 - a hint to MXNet's own kernels
) -> Tensor:
    """Set random elements to 0 while training, and scale up the others.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    p : float in [0, 1], default 0.5
        Probability of 0; the others are divided by 1 - p.
    mode : {'training', 'always'}, default 'training'
        Whether it also happens in prediction.
    axes : tuple of int, optional
        Axes along which all elements share their fate.
    cudnn_off : bool, default False
        Hint to MXNet's own kernels, which torch's do not need.

    Notes
    -----
    On a CPU the masks are MXNet's, bit for bit, from the stream of `mx.nd.random`. As there,
    p = 1 gives NaN.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(1)
    >>> with mx.autograd.train_mode():
    ...     print(mx.nd.Dropout(mx.nd.ones((6,))).asnumpy())
    [0. 2. 2. 0. 2. 0.]
    """
    if not 0 <= p <= 1:
        msg = (
            f"Dropout: p={p} was given. Expected a probability in [0, 1]. Pass p=0.5, for example; "
            f"a share of 20 percent is 0.2."
        )
        raise InvalidArgumentError(msg)
    if mode not in ("training", "always"):
        raise unknown_choice(mode, "Dropout", "mode", _MODES)
    check_floats("Dropout", data=data)
    if p == 0 or not (state.training or mode == "always"):
        return data.clone()
    axes = (axes,) if isinstance(axes, int) else axes or ()
    shared = [axis % data.dim() for axis in axes]
    return data * dropout_mask(tuple(data.shape), p, shared, data.dtype, data.device)
