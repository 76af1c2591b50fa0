"""Tests of the measurement of pictures: every contestant goes through all of them."""

from __future__ import annotations

import gc

import pytest
import torch

import gluonish as mx
from benchmarks import feeding, input_gluon, input_torch
from benchmarks.targets import verdicts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(input_gluon, "DIGITS", 600)
    feeding.write_pictures(tmp_path, 9)
    yield str(tmp_path)
    gc.collect()  # loaders with their workers


def test_every_contestant_sees_every_picture(folder):
    expected = dict.fromkeys(feeding._TITLES, 9)
    for name in expected:
        if name.startswith("digits"):
            expected[name] = 600
    for passes in (input_gluon.passes(mx, folder), input_torch.passes(folder)):
        assert {name: run() for name, run in passes.items()} == expected


@pytest.mark.parametrize("kind", ["crop", "part", "colours"])
def test_pictures_by_hand_have_the_form_that_nets_take(folder, monkeypatch, kind):
    monkeypatch.setattr(input_torch, "transforms", None)
    dataset = input_torch._Files(
        sorted(feeding.Path(folder).glob("folders/*/*.jpg")), input_torch._prepare(kind)
    )
    picture, label = dataset[8]
    assert (picture.shape, picture.dtype) == ((3, 224, 224), torch.float32)
    assert label == 7  # the last one, after two of the first kind
    assert torch.isfinite(picture).all()


def test_hues_turn_about_grey():
    turn = input_torch._turn(1 / 3)
    assert torch.allclose(turn @ torch.ones(3), torch.ones(3), atol=1e-6)
    assert torch.allclose(turn @ torch.eye(3)[0], torch.eye(3)[1], atol=1e-6)


def test_rows_have_speeds_of_all_contestants(monkeypatch):
    monkeypatch.setattr(input_gluon, "DIGITS", 300)
    monkeypatch.setattr(feeding, "_QUICK_COUNT", 4)
    monkeypatch.setattr(feeding, "_QUICK_ROUNDS", 0)
    rows = feeding.table_rows(quick=True, mxnet=None)
    assert [row["name"] for row in rows] == list(feeding._TITLES.values())
    assert all(set(row["speeds"]) == {"gluonish", "torch"} for row in rows)
    assert all(min(row["speeds"].values()) > 0 for row in rows)
    assert len(verdicts({"input": rows})) == 6
