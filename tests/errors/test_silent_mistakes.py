"""What MXNet takes in silence, and means something else than newcomers think, is told."""

from __future__ import annotations

import re

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd
from gluonish.gluon import data, nn


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: nn.Conv2D(3, 64, 3), "write Conv2D(64, 3)."),
        (lambda: nn.Conv2D(1, 6, 5), "write Conv2D(6, 5)."),
        (lambda: nn.Conv1D(64, 32, 3), "write Conv1D(32, 3)."),
        (lambda: nn.Conv3DTranspose(4, 8, 3), "write Conv3DTranspose(8, 3)."),
    ],
)
def test_convolutions_in_torchs_order_are_told(make, told):
    with pytest.warns(UserWarning, match=re.escape(told)) as caught:
        make()
    assert caught[0].filename == __file__


@pytest.mark.parametrize("numbers", [(96, 11, 4), (64, 7, 2), (768, 16, 16), (8, 5, 5), (8, 4, 3)])
def test_usual_convolutions_are_not_told_anything(numbers):
    nn.Conv2D(*numbers)


def test_masks_of_nd_as_row_numbers_are_told_and_taken():
    x = nd.arange(6)
    with pytest.warns(
        UserWarning, match=r"x\[mask\].*nd.contrib.boolean_mask\(x, x > 2\)"
    ) as caught:
        picked = x[x > 2]
    assert picked.asnumpy().tolist() == [0, 0, 0, 1, 1, 1]  # as in MXNet
    assert caught[0].filename == __file__


def test_masks_of_nd_in_assignments_are_told_too():
    x = nd.arange(4)
    with pytest.warns(UserWarning, match=r"x\[mask\]"):
        x[x > 2] = 7
    assert x.asnumpy().tolist() == [7, 7, 2, 3]  # rows 0 and 1, as in MXNet


def test_row_numbers_in_floating_point_are_not_told_anything():
    x = nd.arange(3)
    assert x[nd.array([2, 1, 0])].asnumpy().tolist() == [2, 1, 0]
    assert mx.np.arange(3)[mx.np.arange(3) > 0].tolist() == [1, 2]


def test_pictures_with_their_channels_first_are_told():
    picture = nd.ones((3, 32, 24)).astype("uint8")
    with pytest.warns(UserWarning, match=r"a picture of 24 channels.*x.transpose\(\(1, 2, 0\)\)"):
        mx.image.imresize(picture, 8, 8)


@pytest.mark.parametrize("flag", [True, False, 0, 1, None, onp.bool_(True), 1.0])
def test_flags_and_sizes_of_all_kinds_are_taken(flag):
    nn.Dense(onp.int64(3), use_bias=flag, in_units=3.0)


@pytest.mark.parametrize("size", [2.5, "four", [4], {}, nn.Dense])
def test_sizes_that_are_no_numbers_are_refused_where_they_are_given(size):
    samples = data.ArrayDataset(nd.ones(4))
    with pytest.raises(TypeError, match="^DataLoader: batch_size=.* was given, .* Expected int. "):
        data.DataLoader(samples, batch_size=size)


def test_attributes_that_change_nothing_are_refused_but_in_classes_of_programs():
    class Own(mx.gluon.Trainer):
        batch_size = 0

        def __init__(self, *args):
            super().__init__(*args)
            self.weight_decay = 3

    params = mx.gluon.ParameterDict()
    assert Own(params, "sgd").weight_decay == 3
    with pytest.raises(AttributeError, match="trainer.optimizer.wd = 0.01 changes one"):
        mx.gluon.Trainer(params, "sgd").weight_decay = 3


def test_an_error_inside_names_the_call_where_no_door_stands(tmp_path):
    from tests.errors.test_newcomers import _BEGIN, _run

    shown = _run(tmp_path, f"{_BEGIN}s = mx.lr_scheduler.CosineScheduler(10, 0.1)\ns('soon')\n")
    assert shown.count("File ") == 1
    assert "CosineScheduler('soon') did not work with these arguments." in shown


def test_scores_in_place_of_classes_are_told_once():
    metric = mx.metric.Accuracy()
    labels, scores = nd.array([0, 1]), nd.array([0.2, 0.7])
    with pytest.warns(UserWarning, match=r"0\.7 counts as class 0.*Write preds > 0.5") as caught:
        metric.update(labels, scores)
    metric.update(labels, scores)
    assert caught[0].filename == __file__
    assert metric.get()[1] == 0.5  # as in MXNet
    mx.metric.Accuracy().update(labels, scores > 0.5)
