"""Answers cases with one library: `python -m fuzz.differential.worker mxnet CASES ANSWERS`.

It runs where that library is, also under a Python without gluonish. CASES has a case in each
line; ANSWERS gets a pickle of plain data for each. A process that crashes or hangs costs one case.
`gluonish:gpu` in place of `mxnet` asks gluonish with its arrays on gpu(0).
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import pickle
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"
_LONGEST = 20  # seconds for a case
_MESSAGE = 600  # characters of an error that are kept


def main() -> None:
    """Answer all cases, in processes that are replaced when one dies."""
    library, cases, answers = sys.argv[1:]
    lines = Path(cases).read_text(encoding="utf-8").splitlines()
    runners = importlib.import_module("fuzz.differential.runners")
    importlib.import_module("fuzz.differential.rare_runners")
    runners.start(library)
    Path(answers).write_bytes(b"")
    with Path(answers).open("ab") as stream:
        done = 0
        while done < len(lines):
            child = os.fork()
            if not child:
                runners.go_to(library.partition(":")[2])
                _answer(runners, lines[done:], stream)
            _, status = os.waitpid(child, 0)
            done = _count(answers)
            if status and done < len(lines):
                number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
                kind = "timeout" if number == signal.SIGALRM else "crash"
                pickle.dump({"error": kind, "says": f"signal {number}"}, stream)
                stream.flush()
                done += 1


def _answer(runners: Any, lines: list[str], stream: Any) -> None:
    """Write answers until all are there; what the library prints is dropped."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    for line in lines:
        signal.alarm(_LONGEST)
        start = time.perf_counter()
        try:
            answer = runners.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever a library refuses is an answer
            says = " ".join(str(error).split())[:_MESSAGE]
            answer = {"error": type(error).__name__, "says": says}
        answer["seconds"] = time.perf_counter() - start
        pickle.dump(answer, stream)
        stream.flush()
        if answer.get("error") == "AcceleratorError":  # nothing works after it in this process
            break
    os._exit(0)


def _count(answers: str) -> int:
    found = 0
    with Path(answers).open("rb") as stream:
        while True:
            try:
                pickle.load(stream)
            except EOFError:
                return found
            found += 1


if __name__ == "__main__":
    main()
