"""One file is read in the sandbox, and judged."""

from __future__ import annotations

import logging
import os
import traceback
from pathlib import Path
from typing import NamedTuple

from fuzz import targets
from fuzz.sandbox import ForbiddenError, Sandbox, Used, temporary_folder
from fuzz.seeds import seeds

_SECONDS = 1.0  # of the processor, for a file
_TIMES = 40  # bytes of memory for each byte of a file
_FREE = 16 << 20  # and beside them; torch and NumPy keep buffers of megabytes
# Where 64 MiB are taken as meant, however few bytes they are packed in: in two or three copies.
_UNPACKED = 200 << 20
_PACKED = ("npz", "idx_gz", "recordio", "index")


class Verdict(NamedTuple):
    """How a case ended: `problem` is None if all is well."""

    was_read: bool
    used: Used
    problem: str | None
    details: str = ""


class Checker:
    """Reads files of one family in this process, which it watches from now on."""

    def __init__(self, family: str, folder: Path | None = None) -> None:
        self.family = family
        base = folder or temporary_folder()
        self.folder = base / f"gluonish-fuzz-{os.getpid()}"
        self.folder.mkdir(exist_ok=True)
        os.chdir(self.folder)
        self.path = self.folder / ("case.idx" if family == "index" else "case")
        if family == "index":
            self.path.with_suffix(".rec").write_bytes(seeds("recordio").all[0].data)
        logging.disable()
        self.sandbox = Sandbox()

    def warm_up(self) -> None:
        """Read the good files, so that whatever is imported late is there; they must be good."""
        for number, seed in enumerate(seeds(self.family).all[:200]):
            for parity in (0, 1):
                self.path.write_bytes(seed.data)
                if not targets.read(self.family, self.path, seed.data, parity):
                    msg = f"{self.family}: the good file {number} ({seed.name}) was refused"
                    raise ValueError(msg)
        self.sandbox.close_doors()

    def check(self, data: bytes, number: int) -> Verdict:
        """Return how the reading of a file ends."""
        self.path.write_bytes(data)
        problem, details, was_read = None, "", False
        try:
            with self.sandbox.reading():
                was_read = targets.read(self.family, self.path, data, number)
        except (Exception, ForbiddenError) as error:  # noqa: BLE001 - any of them is a finding
            place = traceback.extract_tb(error.__traceback__)[-1]
            problem = f"{type(error).__name__} in {Path(place.filename).name}, {place.name}"
            details = "".join(traceback.format_exception(error)[-30:])[-6000:]
        used = self.sandbox.last
        if problem is None:
            problem = self._excess(used, len(data))
        if problem is None and self.sandbox.violations:
            problem = f"it tried {self.sandbox.violations[0][:80]}"
        return Verdict(was_read, used, problem, details)

    def _excess(self, used: Used, size: int) -> str | None:
        if used.seconds > _SECONDS:
            return f"more than {_SECONDS:.0f} s"
        free = _UNPACKED if self.family in _PACKED else _FREE
        if used.memory > free + _TIMES * size:
            return "too much memory"
        return None

    def leftovers(self) -> list[str]:
        """Return the files that nobody but this class should have made, and that are there."""
        own = {self.path.name, self.path.with_suffix(".rec").name}
        return sorted(path.name for path in self.folder.iterdir() if path.name not in own)

    def close(self) -> None:
        """Remove the folder."""
        os.chdir("/")
        for path in self.folder.iterdir():
            path.unlink()
        self.folder.rmdir()
