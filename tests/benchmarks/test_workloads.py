from __future__ import annotations

from dataclasses import replace

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from benchmarks import contestants, operators_gluon, operators_torch, peaks
from benchmarks.nets import check_outputs
from benchmarks.workloads import NETS, WORKLOADS, Workload

TINY = {
    "perceptron-2": WORKLOADS["perceptron-2"],
    "lenet-32": replace(WORKLOADS["lenet-32"], data=(2, 1, 28, 28), labels=2),
    "resnet": replace(WORKLOADS["resnet"], data=(4, 3, 8, 8), labels=4),
    "lstm": replace(
        WORKLOADS["lstm"],
        data=(4, 3),
        labels=12,
        classes=11,
        ids=11,
        sizes={"vocabulary": 11, "width": 6, "layers": 2},
    ),
    "transformer": replace(
        WORKLOADS["transformer"],
        data=(2, 5),
        labels=2,
        ids=11,
        sizes={"vocabulary": 11, "steps": 5, "width": 8, "heads": 2, "blocks": 2},
    ),
}


SMALL_NETS = {
    "resnet50": replace(NETS["resnet50"], data=(1, 3, 32, 32), labels=1),
    "mobilenet-v2": replace(NETS["mobilenet-v2"], data=(2, 3, 32, 32), labels=2),
    "bert": replace(
        NETS["bert"],
        data=(2, 5),
        ids=11,
        sizes={
            "vocabulary": 11, "steps": 5, "width": 8, "heads": 2, "blocks": 2, "is_bert": True,
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL_NETS)
def test_nets_of_real_size_predict_the_same(name):
    names = ("torch", "torch-last", "hybrid")
    outputs = {each: contestants.build(each, SMALL_NETS[name]).outputs() for each in names}
    check_outputs(name, outputs)
    outputs["hybrid"][0] += 1
    with pytest.raises(RuntimeError, match="'hybrid' predicts"):
        check_outputs(name, outputs)


@pytest.mark.parametrize("mode", ["forward", "step"])
@pytest.mark.parametrize("name", ["hybrid", "torch", "torch-last"])
def test_peaks_are_of_programs_that_run(name, mode):
    peaks.PROGRAMS[name](SMALL_NETS["bert"], mode)()
    assert peaks.most_mebibytes() > 100


def test_every_net_has_a_tiny_workload():
    assert {w.net for w in TINY.values()} == {w.net for w in WORKLOADS.values()}


@pytest.mark.parametrize("name", TINY)
def test_contestants_compute_the_same_losses(name):
    names = [n for n in ("eager", "hybrid", "fused") if contestants.why_absent(n) is None]
    expected = contestants.build("torch", TINY[name]).losses(3)
    assert expected[2] < expected[0]
    for ours in names:
        assert contestants.build(ours, TINY[name]).losses(3) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("name", TINY)
def test_contestants_predict_the_same(name):
    by_hand = contestants.build("torch", TINY[name]).program.forward().detach().numpy()
    for ours in ("eager", "hybrid"):
        output = contestants.build(ours, TINY[name]).program.forward().asnumpy()
        onp.testing.assert_allclose(output, by_hand, rtol=1e-4, atol=1e-5)


def test_operators_are_the_same_by_hand():
    ours, by_hand = operators_gluon.calls(mx), operators_torch.calls()
    assert ours.keys() == by_hand.keys()
    for name, call in ours.items():
        result, expected = call(), by_hand[name]()
        if expected is not None:
            assert_close(result.asnumpy(), expected.numpy())


def test_workload_survives_a_trip_through_a_dictionary():
    workload = WORKLOADS["lstm"]
    fields = {**workload.as_dict(), "data": list(workload.data)}
    assert Workload.from_dict(fields) == workload


@pytest.mark.parametrize("name", ["eager", "hybrid", "fused", "torch"])
def test_training_begins_anew_after_restart(name):
    contestant = contestants.build(name, TINY["perceptron-2"])
    first = contestant.losses(3)
    contestant.program.restart()
    assert contestant.losses(3) == first
