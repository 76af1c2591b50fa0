"""Stands in for a compiler: what would be compiled is run as it is, and found to be faster."""

from __future__ import annotations

import torch

from gluonish.hybrid import compilations, judging


class InstantJob:
    """In the place of `jobs.CompileJob`."""

    count = steps = 0  # jobs, and those among them that are whole training steps

    def __init__(self, task, *, begin=True):
        self.task = task
        self.is_done = begin  # nothing is on disk
        self.seconds = 0.0
        self.error = None
        InstantJob.count += begin
        InstantJob.steps += begin and task.update is not None

    def look(self):
        return True

    def load(self):
        task = self.task
        function = module = task.program.module()
        if task.update is not None:
            inputs = task.program.inputs + len(task.program.draws)
            function = task.update.function(module, inputs)

        def run(tensors):
            with torch.no_grad():
                return list(function(*[tensor.detach() for tensor in tensors]))

        return run


def install(monkeypatch):
    """Have graphs 'compiled' at once, and always found to be faster."""

    def report(self, record):
        record.backend, record.state = "aot", "compiled"
        return True

    InstantJob.count = InstantJob.steps = 0
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0")
    monkeypatch.setattr(compilations, "CompileJob", InstantJob)
    monkeypatch.setattr(compilations, "has_compiler", lambda: True)
    monkeypatch.setattr(judging.Race, "report", report)
    monkeypatch.setattr(judging, "IN_A_ROW", 1)
    monkeypatch.setattr(judging, "FEWEST_ROUNDS", 1)
    monkeypatch.setattr(judging, "MOST_ROUNDS", 1)
    return InstantJob
