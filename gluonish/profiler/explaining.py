"""`explain`: where the time of a training goes, and what to do about it."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.display.tables import heading, preformatted, table
from gluonish.profiler.advice import Finding, advise
from gluonish.profiler.stages import Timing, listening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Explanation", "Observer", "explain"]

_ORDER = "data", "forward", "backward", "update", "step", "metrics", "waiting"
_LAYERS = 8  # shown
_TITLES = "time in", "seconds", "share", "per step", "most of it at"
_LAYER_TITLES = "layer", "seconds", "share", "calls"


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Where the time of a training went; prints itself, also in notebooks.

    Attributes
    ----------
    seconds : float
        How long it took.
    steps : int
        How many updates there were.
    stages : dict of str to float
        Seconds in 'data', 'forward', 'backward', 'update', 'metrics', 'waiting', in 'step' where
        one graph does all of it, and in the 'rest'. They add up to `seconds`.
    lines : dict of str to str
        The line of the program at which most of a stage's time was spent.
    layers : dict of str to tuple of (float, int)
        Seconds in each layer itself, without its children, and its calls; the slowest first.
    in_python : dict of str to str
        Blocks that no captured graph runs, and why.
    advice : list of str
        What takes longest, and what to do about it.
    """

    seconds: float
    steps: int
    stages: dict[str, float]
    lines: dict[str, str]
    layers: dict[str, tuple[float, int]]
    in_python: dict[str, str]
    advice: list[str]

    @override
    def __str__(self) -> str:
        parts = [self._head(), "", *_aligned(_TITLES, self._rows(), numbers=3)]
        if self.layers:
            parts += ["", *_aligned(_LAYER_TITLES, self._layer_rows(), numbers=3)]
        if self.in_python:
            parts += ["", "Blocks in Python:", *(f"  {text}" for text in self._python())]
        return "\n".join([*parts, "", *self.advice])

    @override
    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        text = heading("Training", self._head()) + table(
            _TITLES, self._rows(), numbers=_TITLES[1:4]
        )
        text += table(_LAYER_TITLES, self._layer_rows(), numbers=_LAYER_TITLES[1:])
        return text + preformatted("\n".join([*self._python(), *self.advice]))

    def _head(self) -> str:
        each = f", {self.seconds / self.steps * 1e3:.2f} ms each" if self.steps else ""
        return f"{self.seconds:.2f} s, {self.steps:,} steps{each}"

    def _rows(self) -> list[list[str]]:
        steps = max(self.steps, 1)
        return [
            [
                name, f"{seconds:.2f}", _share(seconds, self.seconds),
                f"{seconds / steps * 1e3:.2f} ms", self.lines.get(name, ""),
            ]
            for name, seconds in self.stages.items()
        ]  # fmt: skip

    def _layer_rows(self) -> list[list[str]]:
        return [
            [name, f"{seconds:.2f}", _share(seconds, self.seconds), f"{calls:,}"]
            for name, (seconds, calls) in list(self.layers.items())[:_LAYERS]
        ]

    def _python(self) -> Iterator[str]:
        return (f"{name}: {reason}" for name, reason in self.in_python.items())


class Observer:
    """Adds up what calls of a training take, in the thread that makes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.profiler.explaining import Observer
    >>> observer = Observer()
    >>> with observer.watching():
    ...     mx.nd.ones(3).asnumpy()
    array([1., 1., 1.], dtype=float32)
    >>> list(observer.explanation().stages)
    ['waiting', 'rest']
    """

    def __init__(self) -> None:
        self._thread = threading.get_native_id()
        self._lines: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._layers: dict[int, list[Any]] = {}
        self._labels: dict[str, set[str]] = defaultdict(set)
        self._steps = 0
        self._seconds = 0.0

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Add up what happens for as long as it lasts."""
        began = time.perf_counter()
        try:
            with listening(self._hear):
                yield
        finally:
            self._seconds += time.perf_counter() - began

    def _hear(self, timing: Timing) -> None:
        if timing.thread != self._thread:
            return
        own = timing.own / 1e6
        self._lines[timing.stage][timing.line] += own
        is_first = timing.stage not in timing.around
        if timing.stage == "step" or (timing.stage == "update" and "step" not in timing.around):
            self._steps += is_first and not timing.label.endswith(".allreduce_grads")
        if timing.stage == "forward":
            layer = self._layers.setdefault(
                id(timing.owner), [timing.owner, timing.label, 0.0, 0, False]
            )
            layer[2] += own
            layer[3] += 1
            layer[4] = layer[4] or is_first
        elif is_first:
            self._labels[timing.stage].add(timing.label)

    def explanation(self) -> Explanation:
        """Return what was found."""
        stages = {name: sum(self._lines[name].values()) for name in _ORDER if name in self._lines}
        stages["rest"] = max(self._seconds - sum(stages.values()), 0.0)
        lines = {name: max(found, key=found.__getitem__) for name, found in self._lines.items()}
        ranked = sorted(self._layers.values(), key=lambda layer: -layer[2])
        tops = [layer[0] for layer in ranked if layer[4] and hasattr(layer[0], "hybrid_report")]
        in_python = _in_python(tops, self._seconds, ranked)
        has_graphs = any(
            row.backend != "python" for top in tops for row in top.hybrid_report().rows
        )
        finding = Finding(
            self._seconds, self._steps, stages, lines, self._labels, in_python, has_graphs
        )
        layers: dict[str, tuple[float, int]] = {}
        for _, label, seconds, calls, _ in ranked:  # names may be those of several
            before = layers.get(label, (0.0, 0))
            layers[label] = before[0] + seconds, before[1] + calls
        return Explanation(
            self._seconds, self._steps, stages, lines, layers, in_python, advise(finding)
        )


def explain(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Explanation:
    """Run a training, and say why it is slow.

    Calls of DataLoaders and iterators, Blocks, `backward`, Trainers, FusedSteps, Modules and
    metrics are timed, and what waits for values (`asnumpy`, `asscalar`, `wait_to_read`); what
    happens inside of a DataLoader is its own. A GPU works while Python goes on: its time shows as
    waiting.

    Parameters
    ----------
    function : callable
        What to run: some seconds of training, without the first epoch's beginning if that is slow.
    *args, **kwargs
        What to call it with.

    Returns
    -------
    Explanation
        A table that prints itself, with advice.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=3)
    >>> net.initialize()
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
    >>> batches = mx.gluon.data.DataLoader(mx.nd.ones((100, 3)), 10)
    >>> def train():
    ...     for x in batches:
    ...         with mx.autograd.record():
    ...             loss = net(x).sum()
    ...         loss.backward()
    ...         trainer.step(10)
    >>> found = mx.profiler.explain(train)
    >>> found.steps, list(found.stages)
    (10, ['data', 'forward', 'backward', 'update', 'rest'])
    """
    observer = Observer()
    with observer.watching():
        function(*args, **kwargs)
    return observer.explanation()


def _in_python(tops: list[Any], seconds: float, ranked: list[list[Any]]) -> dict[str, str]:
    """Return which Blocks no graph runs, and why; those that take next to no time are left out."""
    found: dict[str, str] = {}
    for block in tops:
        rows = block.hybrid_report().rows
        found.update((row.block, row.state) for row in rows if row.backend == "python")
        if not rows and hasattr(block, "hybridize"):
            mine = _inside(block)
            spent = sum(layer[2] for layer in ranked if id(layer[0]) in mine)
            if spent > 0.05 * seconds:
                label = f"{type(block).__name__} '{block.name}'"
                found[label] = "not hybridized. Call its hybridize() before training"
    return found


def _inside(block: Any) -> set[int]:
    found: set[int] = set()
    block.apply(lambda each: found.add(id(each)))
    return found


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else ""


def _aligned(titles: tuple[str, ...], rows: list[list[str]], numbers: int) -> list[str]:
    """Return rows of text in columns, of which the second to that number end on the right."""
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if 0 < place <= numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (titles, *rows)
    ]
