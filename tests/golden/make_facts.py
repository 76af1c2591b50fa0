"""Run programs under the real MXNet 1.9.1 and write down what they give.

The other make_*.py scripts call `write`. Every program runs in a worker process, so that one that
kills MXNet (an integer divided by zero) costs no more than itself. Give the path of a Python that
has MXNet 1.6.0 as argument to record what 1.6 gives where 1.9.1 refuses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import facts


def write(name, groups, *, shown_only=False):
    """Run groups of (numpy mode, program) and write them to NAME.json.

    `shown_only` leaves out the values, and keeps the text.
    """
    new, old = Worker(sys.executable), Worker(sys.argv[1]) if len(sys.argv) > 1 else None
    found = {}
    for group, programs in groups.items():
        found[group] = []
        for numpy_mode, code in programs:
            fact = {"np": numpy_mode, "code": code, "gives": new.run(numpy_mode, code)}
            fact["gives"].pop("value" if shown_only else "text", None)
            shorten(fact["gives"])
            if old and "error" in fact["gives"]:
                before = old.run(numpy_mode, code)
                if "error" not in before and "crash" not in before:
                    fact["gives_in_1.6"] = before
            found[group].append(fact)
    lines = []
    for group, rows in found.items():
        rows = ",\n".join(json.dumps(row) for row in rows)
        lines.append(f"{json.dumps(group)}: [\n{rows}\n]")
    versions = json.dumps({"mxnet": new.version, "mxnet_before": old and old.version})
    text = f'{{"versions": {versions}, "groups": {{\n' + ",\n".join(lines) + "\n}}\n"
    (HERE / f"{name}.json").write_text(text)
    for row in (row for rows in found.values() for row in rows if "crash" in row["gives"]):
        sys.stdout.write(f"crash: {row['code']}\n")


def shorten(found):
    """Cut what an error says: MXNet's messages go on about its C++ files."""
    if "error" in found:
        found["error"]["says"] = found["error"]["says"][:160]


class Worker:
    """A process that runs programs, started again when one kills it."""

    def __init__(self, python):
        self.python = python
        self.process = None
        self.version = self.ask({"version": True})["version"]

    def ask(self, question):
        """Send one question and return the answer."""
        if self.process is None:
            command = [self.python, "-W", "ignore", str(HERE / "make_facts.py"), "--serve"]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
            )
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        watch = threading.Timer(60, self.process.kill)
        watch.start()
        answer = self.process.stdout.readline()
        watch.cancel()
        if not answer:
            code, self.process = self.process.wait(), None
            return {"crash": code}
        return json.loads(answer)

    def run(self, numpy_mode, code):
        """Return what a program gives."""
        return self.ask({"np": numpy_mode, "code": code})


def serve():
    """Answer questions from standard input until it closes."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import mxnet as mx
    import numpy as onp
    from mxnet import autograd, gluon, init, nd, np, npx

    for line in sys.stdin:
        question = json.loads(line)
        if "version" in question:
            found = {"version": mx.__version__}
        else:
            (npx.set_np if question["np"] else npx.reset_np)()
            mx.random.seed(0)
            autograd.set_recording(False)
            autograd.set_training(False)
            names = {"__name__": "__main__", "mx": mx, "nd": nd, "np": np, "npx": npx}
            names |= {"onp": onp, "autograd": autograd, "gluon": gluon, "init": init}
            found = facts.run_cell(question["code"], names)
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__" and "--serve" in sys.argv:
    serve()
