"""Callbacks that save a model after an epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.model.checkpoint import save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from gluonish.array import NDArray
    from gluonish.symbol import Symbol

    class Saves(Protocol):
        """The part of a module that `module_checkpoint` needs."""

        def save_checkpoint(
            self, prefix: str, epoch: int, save_optimizer_states: bool = False
        ) -> None:
            """Save Symbol, parameters and, if asked to, the optimizer's states."""


__all__ = ["do_checkpoint", "module_checkpoint", "save_checkpoint"]


def module_checkpoint(
    mod: Saves, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """Return a callback that saves a module every few epochs.

    Parameters
    ----------
    mod : BaseModule
        The module.
    prefix : str
        What the files' names begin with.
    period : int, default 1
        Number of epochs from one checkpoint to the next.
    save_optimizer_states : bool, default False
        Whether to save the optimizer's states too.

    Returns
    -------
    callable
        For `fit(epoch_end_callback=...)`.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Loud:
    ...     def save_checkpoint(self, prefix, epoch, save_optimizer_states=False):
    ...         print(prefix, epoch)
    >>> callback = mx.callback.module_checkpoint(Loud(), 'net', period=2)
    >>> for epoch in range(4):
    ...     callback(epoch)
    net 2
    net 4
    """
    period = int(max(1, period))

    def callback(iter_no: int, *_: Any) -> None:
        if (iter_no + 1) % period == 0:
            mod.save_checkpoint(prefix, iter_no + 1, save_optimizer_states)

    return callback


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """Return a callback that saves Symbol and parameters every few epochs.

    Parameters
    ----------
    prefix : str
        What the files' names begin with: `prefix-symbol.json`, `prefix-0001.params`.
    period : int, default 1
        Number of epochs from one checkpoint to the next.

    Returns
    -------
    callable
        For `fit(epoch_end_callback=...)`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import gluonish as mx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     callback = mx.callback.do_checkpoint(f'{folder}/net')
    ...     callback(0, None, {'fc_bias': mx.nd.ones((1,))}, {})
    ...     [path.name for path in Path(folder).iterdir()]
    ['net-0001.params']
    """
    period = int(max(1, period))

    def callback(
        iter_no: int,
        sym: Symbol | None,
        arg: Mapping[str, NDArray],
        aux: Mapping[str, NDArray],
    ) -> None:
        if (iter_no + 1) % period == 0:
            save_checkpoint(prefix, iter_no + 1, sym, arg, aux)

    return callback
