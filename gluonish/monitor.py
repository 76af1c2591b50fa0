"""`mx.monitor`: statistics of a network's arrays while it runs."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from gluonish import ndarray as nd
from gluonish.array import NDArray
from gluonish.errors import DTypeError, RefusedArgumentError
from gluonish.errors.arguments import value_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol, TypeAlias

    Statistic: TypeAlias = Callable[[NDArray], NDArray | list[NDArray]]

    class Monitored(Protocol):
        """The part of an Executor that a Monitor needs."""

        @property
        def arg_dict(self) -> Mapping[str, NDArray]:
            """The arguments, by name."""

        @property
        def aux_dict(self) -> Mapping[str, NDArray]:
            """The auxiliary states, by name."""

        def set_monitor_callback(
            self, callback: Callable[[str, NDArray], None], monitor_all: bool = False
        ) -> None:
            """Have a function called with the name and value of each output."""


__all__ = ["Monitor"]


class Monitor:
    """Prints statistics of outputs, weights and other arrays of Executors.

    Parameters
    ----------
    interval : int
        Number of batches from one report to the next.
    stat_func : callable, optional
        Takes an NDArray and returns one, or a list of them; by default, the norm divided by
        the square root of the size.
    pattern : str, default '.*'
        Regular expression: only arrays are reported whose names begin with a match.
    sort : bool, default False
        Whether to sort reports by name.
    monitor_all : bool, default False
        Whether the inputs of operators are reported, too.

    Examples
    --------
    >>> import gluonish as mx
    >>> monitor = mx.mon.Monitor(interval=1, pattern='.*weight|.*output')
    >>> monitor.tic()
    >>> monitor.stat_helper('fc_output', mx.nd.array([3, 4, 0, 0]))
    >>> [(step, name, text.strip()) for step, name, text in monitor.toc()]
    [(1, 'fc_output', '2.5')]
    """

    def __init__(
        self,
        interval: int,
        stat_func: Statistic | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        self.interval = interval
        self.stat_func = _mean_size if stat_func is None else stat_func
        self.sort = sort
        self.monitor_all = monitor_all
        self.re_prog = re.compile(pattern)
        self.activated = False
        self.queue: list[tuple[int, str, NDArray | list[NDArray]]] = []
        self.step = 0
        self.exes: list[Monitored] = []

    def stat_helper(self, name: str | bytes, array: NDArray) -> None:
        """Note the statistic of an array; Executors call it."""
        name = name.decode() if isinstance(name, bytes) else name
        if self.activated and self.re_prog.match(name):
            self.queue.append((self.step, name, self.stat_func(array)))

    def install(self, exe: Monitored) -> None:
        """Watch an Executor; it can be called for several.

        Parameters
        ----------
        exe : Executor
            What `Symbol.bind` returns.
        """
        if not hasattr(exe, "set_monitor_callback"):
            msg = (
                f"Monitor.install: {value_text(exe)} was given, of type {type(exe).__name__}. "
                f"Expected an Executor, or a module. For a net, write "
                f"net.register_op_hook(lambda name, op, x: print(name, x.norm()))."
            )
            raise DTypeError(msg)
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def tic(self) -> None:
        """Begin with a batch; call it before `forward`."""
        if self.step % self.interval == 0:
            self._wait()
            self.queue = []
            self.activated = True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """End a batch; call it after its last computation.

        Returns
        -------
        list of (int, str, str)
            Number of the batch, name and statistic of each array; empty if the batch was none
            to report.

        Raises
        ------
        RefusedArgumentError
            `stat_func` returned something else than arrays.
        """
        if not self.activated:
            return []
        self._wait()
        for exe in self.exes:
            for arrays in (exe.arg_dict, exe.aux_dict):
                for name, array in arrays.items():
                    self.stat_helper(name, array)
        self.activated = False
        if self.sort:
            self.queue.sort(key=lambda noted: noted[1])
        found = [(step, name, _text(name, values)) for step, name, values in self.queue]
        self.queue = []
        return found

    def toc_print(self) -> None:
        """End a batch, and log what `toc` returns."""
        log = logging.getLogger()  # MXNet logs to the root, where programs look for it
        for step, name, text in self.toc():
            log.info("Batch: %7d %-30s %s", step, name, text)

    def _wait(self) -> None:
        for exe in self.exes:
            for arrays in (exe.arg_dict, exe.aux_dict):
                for array in arrays.values():
                    array.wait_to_read()


def _mean_size(array: NDArray) -> NDArray:
    size: NDArray = nd.norm(array) / array.size**0.5
    return size


def _text(name: str, values: NDArray | list[NDArray]) -> str:
    parts = values if isinstance(values, list) else [values]
    given: list[object] = list(parts)
    for part in given:
        if not isinstance(part, NDArray):
            msg = (
                f"Monitor: stat_func returned a {type(part).__name__} for {name!r}. Expected an "
                f"NDArray, or a list of them. Return for example x.norm()."
            )
            raise RefusedArgumentError(msg)
    return "".join(f"{_number(part)}\t" for part in parts)


def _number(array: NDArray) -> str:
    values = array.asnumpy()
    return str(values.reshape(-1)[0] if values.size == 1 and values.ndim < 2 else values)
