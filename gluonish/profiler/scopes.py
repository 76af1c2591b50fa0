"""What a program marks itself in a profile: tasks, frames, events, counters and markers."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.profiler.recording import recording
from gluonish.profiler.records import Amount, Mark, Span

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

__all__ = ["Counter", "Domain", "Event", "Frame", "Marker", "Task"]

_SCOPES = ("global", "process", "thread", "task", "marker")


class Domain:
    """A group of things in a profile.

    Examples
    --------
    >>> import gluonish as mx
    >>> domain = mx.profiler.Domain('training')
    >>> with domain.new_task('epoch'):
    ...     _ = mx.nd.ones(3) * 2
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @override
    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """Return a Task of this Domain."""
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """Return a Frame of this Domain."""
        return Frame(self, name)

    def new_counter(self, name: str, value: float | None = None) -> Counter:
        """Return a Counter of this Domain."""
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """Return a Marker of this Domain."""
        return Marker(self, name)


class _Timed:
    """Something that starts and stops; as a context manager, too."""

    def __init__(self, category: str, name: str) -> None:
        self.name = name
        self._category = category
        self._started: float | None = None

    @override
    def __str__(self) -> str:
        return self.name

    def start(self) -> None:
        """Begin."""
        self._started = _now()

    def stop(self) -> None:
        """End; without a beginning, nothing happens."""
        if self._started is not None:
            began, self._started = self._started, None
            thread = threading.get_native_id()
            recording.add(Span(self.name, self._category, began, _now() - began, thread))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class Task(_Timed):
    """A stretch of work, which may overlap with others.

    Examples
    --------
    >>> import gluonish as mx
    >>> task = mx.profiler.Task(mx.profiler.Domain('training'), 'epoch')
    >>> task.start()
    >>> task.stop()
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(domain.name, name)


class Frame(_Timed):
    """One of many equal stretches, such as a batch.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.profiler.Frame(mx.profiler.Domain('training'), 'batch'):
    ...     pass
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(domain.name, name)


class Event(_Timed):
    """A stretch of work of no Domain.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.profiler.Event('reading'):
    ...     pass
    """

    def __init__(self, name: str) -> None:
        super().__init__("event", name)


class Counter:
    """A number over time.

    Examples
    --------
    >>> import gluonish as mx
    >>> counter = mx.profiler.Counter(mx.profiler.Domain('training'), 'batches', 0)
    >>> counter += 2
    >>> counter.decrement()
    >>> counter.value
    1
    """

    def __init__(self, domain: Domain, name: str, value: float | None = None) -> None:
        self.name = name
        self.value = 0.0
        self._category = domain.name
        if value is not None:
            self.set_value(value)

    @override
    def __str__(self) -> str:
        return self.name

    def set_value(self, value: float) -> None:
        """Set the number."""
        self.value = value
        recording.add(Amount(self.name, self._category, _now(), value, is_memory=False))

    def increment(self, delta: float = 1) -> None:
        """Add to the number."""
        self.set_value(self.value + delta)

    def decrement(self, delta: float = 1) -> None:
        """Subtract from the number."""
        self.set_value(self.value - delta)

    def __iadd__(self, delta: float) -> Self:
        self.increment(delta)
        return self

    def __isub__(self, delta: float) -> Self:
        self.decrement(delta)
        return self


class Marker:
    """An instant.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.Marker(mx.profiler.Domain('training'), 'best so far').mark()
    """

    def __init__(self, domain: Domain, name: str) -> None:
        self.name = name
        self._category = domain.name

    @override
    def __str__(self) -> str:
        return self.name

    def mark(self, scope: str = "process") -> None:
        """Mark this instant.

        Parameters
        ----------
        scope : {'process', 'global', 'thread', 'task', 'marker'}
            How far the mark reaches.

        Raises
        ------
        InvalidArgumentError
            For another scope.
        """
        if scope not in _SCOPES:
            msg = f"Marker.mark: scope={scope!r}. Expected one of {', '.join(map(repr, _SCOPES))}."
            raise InvalidArgumentError(msg)
        thread = threading.get_native_id()
        recording.add(Mark(self.name, self._category, _now(), thread, scope))


def _now() -> float:
    return time.time_ns() / 1e3
