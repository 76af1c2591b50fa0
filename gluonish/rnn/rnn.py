"""Checkpoints of networks with cells, whose files have the weights of each gate on their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import symbol as sym
from gluonish.model.checkpoint import load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.rnn.base_cell import BaseRNNCell, Inputs
    from gluonish.symbol import Symbol

__all__ = ["do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]


def rnn_unroll(
    cell: BaseRNNCell,
    length: int,
    inputs: Inputs | None = None,
    begin_state: list[Any] | None = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> tuple[Any, list[Any]]:
    """Return outputs and last states of several steps; see `BaseRNNCell.unroll`.

    Parameters
    ----------
    cell : BaseRNNCell
        The cell.
    length : int
        The number of steps.
    inputs : Symbol or list of Symbol, optional
        Data of all steps; variables `t0_data`, `t1_data`, ... by default.
    begin_state : list of Symbol, optional
        The states before the first step.
    input_prefix : str
        What the names of these variables begin with.
    layout : {'NTC', 'TNC'}
        Which axis is that of the steps.
    """
    if inputs is None:
        inputs = [sym.Variable(f"{input_prefix}t{step}_data") for step in range(length)]
    return cell.unroll(length, inputs, begin_state, layout)


def _listed(cells: BaseRNNCell | Sequence[BaseRNNCell]) -> list[BaseRNNCell]:
    return list(cells) if isinstance(cells, (list, tuple)) else [cells]  # type: ignore[list-item]


def save_rnn_checkpoint(
    cells: BaseRNNCell | Sequence[BaseRNNCell],
    prefix: str,
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """Save a checkpoint with the weights of each gate on their own.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the Symbol.
    prefix, epoch, symbol, arg_params, aux_params
        See `mx.model.save_checkpoint`.
    """
    for cell in _listed(cells):
        arg_params = cell.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)


def load_rnn_checkpoint(
    cells: BaseRNNCell | Sequence[BaseRNNCell], prefix: str, epoch: int
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Return Symbol and parameters of a checkpoint, with the weights of all gates together.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the Symbol.
    prefix, epoch
        See `mx.model.load_checkpoint`.
    """
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for cell in _listed(cells):
        arg_params = cell.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(
    cells: BaseRNNCell | Sequence[BaseRNNCell], prefix: str, period: int = 1
) -> Callable[..., None]:
    """Return a callback that saves a checkpoint every few epochs; see `save_rnn_checkpoint`.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the Symbol.
    prefix : str
        What the files' names begin with.
    period : int, default 1
        Number of epochs from one checkpoint to the next.
    """
    period = int(max(1, period))

    def callback(
        iter_no: int, symbol: Symbol | None = None, arg: Any = None, aux: Any = None
    ) -> None:
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, symbol, arg or {}, aux or {})

    return callback
