"""Batches of pictures: which samples come next, and their making by threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as onp

from gluonish.io.image_draws import Draws
from gluonish.io.sample_numbers import SampleNumbers
from gluonish.random_streams.mersenne import Twister
from gluonish.random_streams.selection import shuffle_order

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from gluonish.io.image_changes import SampleChanges
    from gluonish.io.image_records import Decoded, ImageRecords
    from gluonish.io.image_scaling import Scaler

    Values = onp.ndarray[Any, Any]


class Made(NamedTuple):
    """A batch: arrays, how many samples only fill it up, and the samples' numbers."""

    data: Values
    label: Values
    pad: int
    numbers: Values


class Taken(NamedTuple):
    """Places of the samples of a batch, how many samples more would fill it up, and seeds."""

    places: list[int]
    pad: int
    seeds: list[int] | None


class Planner(Protocol):
    """What draws the changes of a sample."""

    def plan(self, sample: Decoded, draws: Draws) -> SampleChanges:
        """Return what is to be done to a sample."""
        ...


class BatchMaker:
    """Gives the places of the samples batch by batch, and makes batches of them.

    Parameters
    ----------
    records : ImageRecords
        The samples.
    planner : Planner
        Draws what is done to them.
    scaler : Scaler
        What makes numbers of pixels.
    pool : ThreadPoolExecutor
        Does the work.
    shapes : pair of tuple of int
        Shapes of the data and the labels of a batch.
    dtype : dtype
        Dtype of the data.
    label_fill : float
        What fills up labels that are shorter than a batch's.
    first_seed : int
        What is added to every seed.
    seed : int or None
        Seed of the orders; None for the order of the file.
    seed_aug : int or None
        Seed of a generator for each sample, to which its number is added; None for one generator
        for all.
    is_round : bool
        Whether the first samples of the next pass fill the last batch.
    """

    def __init__(
        self,
        records: ImageRecords,
        planner: Planner,
        scaler: Scaler,
        pool: ThreadPoolExecutor,
        *,
        shapes: tuple[tuple[int, ...], tuple[int, ...]],
        dtype: onp.dtype[Any],
        label_fill: float,
        first_seed: int,
        seed: int | None,
        seed_aug: int | None,
        is_round: bool,
    ) -> None:
        self._records = records
        self._planner = planner
        self._scaler = scaler
        self._pool = pool
        self._shapes = shapes
        self._dtype = dtype
        self._label_fill = label_fill
        self._orders = None if seed is None else Twister(first_seed + seed)
        self._seed_aug = first_seed + (seed_aug or 0)
        self._numbers: SampleNumbers | None = None
        if seed_aug is not None:
            inside = records.numbers_in_chunks()
            self._numbers = SampleNumbers(shapes[0][0], inside, seed is not None)
        self._first_seed = first_seed
        self._draws = Draws(first_seed)
        self._is_round = is_round
        self.begin_pass()

    def restart(self) -> None:
        """Begin a pass with a new chunk of the file."""
        if self._numbers is not None:
            self._numbers.restart()
        self.begin_pass()

    def begin_pass(self) -> None:
        """Begin with the first sample, in a new order if there is a random one."""
        count = len(self._records)
        if self._orders is None:
            self._order = list(range(count))
        else:
            self._order = shuffle_order(count, self._orders).tolist()
        self._next = 0

    def is_last_next(self) -> bool:
        """Return whether the next batch is the last one of the pass."""
        return self._next + self._shapes[0][0] >= len(self._order)

    def take(self) -> Taken:
        """Return the samples of the next batch."""
        size = self._shapes[0][0]
        places: list[int] = []
        seeds: list[int] = []
        self._take_up_to(size, places, seeds)
        pad = size - len(places)
        if self._next == len(self._order):
            self.begin_pass()
            while self._is_round and len(places) < size:
                self._take_up_to(size, places, seeds)
                if self._next == len(self._order):
                    self.begin_pass()
        return Taken(places, pad, seeds if self._numbers is not None else None)

    def _take_up_to(self, size: int, places: list[int], seeds: list[int]) -> None:
        """Add samples of the pass until there are so many, or it ends."""
        begun = len(places)
        left = len(self._order) - self._next
        more = self._order[self._next : self._next + size - begun]
        self._next += len(more)
        places += more
        if self._numbers is not None:
            for number, place in enumerate(more):
                taken = self._numbers.take(place, begun + number, left - number)
                seeds.append(self._seed_aug + taken)

    def make(self, taken: Taken) -> Made:
        """Return a batch of samples; called for one batch after the other."""
        samples = list(self._pool.map(self._records.read, taken.places))
        jobs = []
        for number, sample in enumerate(samples):
            draws = self._draws if taken.seeds is None else Draws(taken.seeds[number])
            jobs.append((sample, self._planner.plan(sample, draws)))
        data = onp.zeros(self._shapes[0], self._dtype)
        label = onp.full(self._shapes[1], self._label_fill, onp.float32)
        numbers = onp.zeros(self._shapes[0][0], onp.uint64)
        rows = list(self._pool.map(self._finish, jobs))
        flat = label.reshape(len(label), -1)
        for row, ((sample, plan), picture) in enumerate(zip(jobs, rows, strict=True)):
            data[row] = picture
            flat[row, : plan.label.size] = plan.label
            numbers[row] = sample.number
        return Made(data, label, taken.pad, numbers)

    def _finish(self, job: tuple[Decoded, SampleChanges]) -> Values:
        sample, plan = job
        return self._scaler.apply(plan.change(sample.pixels), plan.scale)

    def mean_picture(self) -> Values:
        """Return the mean of all pictures, channels first, before anything is subtracted."""
        total = onp.zeros(self._shapes[0][1:], onp.float64)
        for place in range(len(self._records)):
            sample = self._records.read(place)
            changed = self._planner.plan(sample, Draws(self._first_seed + place)).change(
                sample.pixels
            )
            total += changed.transpose(2, 0, 1)
        mean: Values = (total / len(self._records)).astype(onp.float32)
        return mean
