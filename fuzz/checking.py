"""One file is read in the sandbox, and judged."""

from __future__ import annotations

import logging
import os
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fuzz import targets
from fuzz.families import FAMILIES
from fuzz.family import UNPACKED
from fuzz.sandbox import ForbiddenError, Sandbox, Used
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 1.0  # of the processor, for a file
_INSPECTED = 4  # one in so many files is shown, too
_WARM = 60  # good files of a format that are read first
_TIMES = 40  # bytes of memory for each byte of a file


class Verdict(NamedTuple):
    """How a case ended: `problem` is None if all is well."""

    was_read: bool
    used: Used
    problem: str | None
    details: str = ""


class Checker:
    """Reads files of one family in this process.

    Parameters
    ----------
    family : str
        One of `fuzz.families.FAMILIES`.
    folder : Path
        Where it may make files.
    sandbox : Sandbox
        What watches the readers.
    """

    def __init__(self, family: str, folder: Path, sandbox: Sandbox) -> None:
        self.family = FAMILIES[family]
        self.folder = folder / "work"
        self.folder.mkdir(exist_ok=True)
        os.chdir(self.folder)
        self.path = self.folder / self.family.file
        if self.family.beside:
            other = FAMILIES[self.family.beside].seeds.all[0]
            self.path.with_suffix(".rec").write_bytes(other.data)
        logging.disable()
        self.sandbox = sandbox

    def warm_up(self) -> None:
        """Read the good files, so that whatever is imported late is there; they must be good.

        What operators compute with is written in advance: no file has a part in that code.
        """
        self.sandbox.open_doors()
        _written = [each.function for each in ops()]
        good = self.family.seeds.all
        for number, seed in enumerate(good[:: len(good) // _WARM + 1]):
            for parity in (0, 1):
                self.path.write_bytes(seed.data)
                content = targets.read(self.family, self.path, seed.data, parity)
                if content is targets.REFUSED:
                    msg = f"{self.family.name}: the good file {number} ({seed.name}) was refused"
                    raise ValueError(msg)
                targets.use(self.family, content, self.path)
                targets.look(self.path, 1)
        self.sandbox.close_doors()

    def check(self, data: bytes, number: int) -> Verdict:
        """Return how the reading of a file ends."""
        self.path.write_bytes(data)
        verdict = self._checked(data, number)
        if verdict.used.seconds > _SECONDS:  # perhaps torch got ready for something, once
            verdict = self._checked(data, number)
        return verdict

    def _checked(self, data: bytes, number: int) -> Verdict:
        content, used, problem, details = self._watched(
            lambda: targets.read(self.family, self.path, data, number)
        )
        was_read = problem is None and content is not targets.REFUSED
        problem = problem or self._excess(used, self.family.free, len(data))
        if was_read and problem is None:
            _, using, problem, details = self._watched(
                lambda: targets.use(self.family, content, self.path)
            )
            problem = problem or self._excess(using, UNPACKED, len(data))
            used = used.most(using)
        if problem is None and number % _INSPECTED == 1:
            _, looking, problem, details = self._watched(lambda: targets.look(self.path, number))
            problem = problem or self._excess(looking, UNPACKED, len(data))
            used = used.most(looking)
        return Verdict(was_read, used, problem, details)

    def _watched(self, action: Callable[[], Any]) -> tuple[Any, Used, str | None, str]:
        """Return what an action returns, what it took, and how it went wrong, with details."""
        content, problem, details = None, None, ""
        try:
            with warnings.catch_warnings(), self.sandbox.reading():
                warnings.simplefilter("ignore")
                content = action()
        except (Exception, ForbiddenError) as error:  # noqa: BLE001 - any of them is a finding
            place = traceback.extract_tb(error.__traceback__)[-1]
            problem = f"{type(error).__name__} in {Path(place.filename).name}, {place.name}"
            details = "".join(traceback.format_exception(error)[-30:])[-6000:]
        if problem is None and self.sandbox.violations:
            problem = f"it tried {self.sandbox.violations[0][:80]}"
        return content, self.sandbox.last, problem, details

    def _excess(self, used: Used, free: int, size: int) -> str | None:
        if used.seconds > _SECONDS:
            return f"more than {_SECONDS:.0f} s"
        if used.memory > free + _TIMES * size:
            return "too much memory"
        return None

    def leftovers(self) -> list[str]:
        """Return the files that nobody but this class should have made, and that are there."""
        own = {"case", "case.idx", "case.rec"}
        return sorted(path.name for path in self.folder.iterdir() if path.name not in own)
