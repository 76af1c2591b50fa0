"""Checkpoints of several processes: they go on as if nothing had been."""

from __future__ import annotations

import shutil

import pytest
from workers import returned, run_workers, shown

from gluonish.gluon import Checkpoint


def train(rank, folder, epochs, stop=None, options=()):
    from resumed import train

    return train(folder, epochs, count=320, stop=stop, **dict(options))


def equal(one, other):
    return all((left == right).all() for left, right in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (2, {"update_on_kvstore": True}),
        (2, {"update_on_kvstore": False, "optimizer": "sgd"}),
        (4, {"compression_params": {"type": "2bit", "threshold": 0.05}, "optimizer": "sgd"}),
    ],
    ids=["on store", "on workers", "compressed"],
)
def test_a_training_goes_on_bit_for_bit(tmp_path, count, options):
    options = tuple(options.items())
    whole = returned(count, train, tmp_path / "a", 2, None, options)
    returned(count, train, tmp_path / "b", 2, 3, options)  # in the second epoch
    resumed = returned(count, train, tmp_path / "b", 2, None, options)
    assert [began for _, began in resumed] == [(1, 5)] * count
    for rank in range(count):
        assert equal(whole[rank][0], whole[0][0])
        assert equal(resumed[rank][0], whole[0][0])


def test_another_number_of_workers_goes_on_from_the_end_of_an_epoch(tmp_path):
    (expected, _), *_ = returned(2, train, tmp_path, 1)
    for count in (1, 4):
        folder = tmp_path.with_name(f"{tmp_path.name}-{count}")
        shutil.copytree(tmp_path, folder)
        found = returned(count, train, folder, 1)
        assert [began for _, began in found] == [(0, None)] * count
        assert all(equal(arrays, expected) for arrays, _ in found)
        found = returned(count, train, folder, 2)
        assert all(equal(arrays, found[0][0]) for arrays, _ in found)


def test_another_number_of_workers_is_refused_in_the_middle_of_an_epoch(tmp_path):
    returned(2, train, tmp_path, 1, 1)
    finished = run_workers(3, train, tmp_path, 1, check=False)
    message = "2 workers have saved it in the middle of an epoch, with their shares of the data;"
    assert all(f"{message} here are 3. Expected as many." in one.output for one in finished)


def apart(rank, folder):
    return train(rank, folder / str(min(rank, 1)), 1)


def test_workers_that_see_different_folders_are_told_so(tmp_path):
    returned(2, train, tmp_path / "0", 1, 1)
    finished = run_workers(2, apart, tmp_path, check=False)
    for worker in finished:
        assert worker.code == 1, shown(finished)
        assert "the workers see different files; the last is " in worker.output, shown(finished)
        assert "Expected a folder that all of them share." in worker.output


def test_a_damaged_file_is_passed_over_by_all(tmp_path):
    (expected, _), *_ = returned(2, train, tmp_path, 2)
    *_, last = sorted(tmp_path.glob("*.safetensors"))
    content = bytearray(last.read_bytes())
    content[-1] ^= 1
    last.write_bytes(content)
    found = returned(2, train, tmp_path, 2)
    assert [began for _, began in found] == [(1, 10)] * 2
    assert all(equal(arrays, expected) for arrays, _ in found)


def test_a_folder_that_cannot_be_written_is_an_error_on_all(tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    finished = run_workers(2, written, path, check=False)
    assert "DistributedError: on worker 0: " in finished[1].output, shown(finished)
    assert [worker.code for worker in finished] == [1, 1]


def written(rank, folder):
    from resumed import build

    Checkpoint(folder / "run", *build()).save()
