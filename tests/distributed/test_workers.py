"""The harness: processes of tests find one another, are captured, and end in time."""

from __future__ import annotations

import os
import sys
import time

import pytest
import torch.distributed as dist
from workers import Workers, returned, run_workers


def total(rank, first):
    dist.init_process_group("gloo")
    import torch

    values = torch.tensor([first + rank])
    dist.all_reduce(values)
    dist.destroy_process_group()
    sys.stdout.write("done\n")
    return values.item(), os.environ["RANK"]


def test_processes_find_one_another_and_return_values():
    assert returned(3, total, 5) == [(18, "0"), (18, "1"), (18, "2")]


def test_a_program_that_fails_shows_what_it_wrote():
    with pytest.raises(AssertionError, match=r"worker 1: exit status 3"):
        run_workers(2, "import os, sys; print('hi'); sys.exit(3 * int(os.environ['RANK']))")


def slow(rank):
    if rank == 1:
        time.sleep(60)


def test_processes_that_take_too_long_are_ended():
    first, second = run_workers(2, slow, timeout=8, check=False)
    assert (first.code, second.code) == (0, None)


def waiting(rank):
    sys.stdout.write("started\n")
    time.sleep(60)


def test_one_process_can_be_killed():
    with Workers(2, waiting) as workers:
        workers.wait_for(1, "started")
        workers.kill(1)
        workers.processes[1].join()
        assert workers.processes[1].exitcode == -9
        assert workers.processes[0].is_alive()
