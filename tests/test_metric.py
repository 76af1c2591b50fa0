from __future__ import annotations

import ast
import importlib.util
import json
import math
import re
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, errors, metric, nd, np

FOLDER = Path(__file__).parent / "golden"
GOLDEN = json.loads((FOLDER / "metric.json").read_text())["cases"]
PROGRAMS = json.loads((FOLDER / "metric_programs.json").read_text())["cases"]
_SPEC = importlib.util.spec_from_file_location("metric_programs", FOLDER / "metric_programs.py")
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)
SCORES = [[0.3, 0.7], [0.0, 1.0], [0.4, 0.6]]


@pytest.mark.parametrize("title", sorted(GOLDEN))
@pytest.mark.parametrize("front", [nd, np])
def test_metric_has_the_values_of_mxnet_after_each_batch(title, front):
    case = GOLDEN[title]
    ours = getattr(metric, case["class"])(**case["arguments"])
    assert ours.name == case["name"]
    assert ours.get_config() == ast.literal_eval(case["text"])
    for position, (labels, scores) in enumerate(case["batches"]):
        if position == 2:
            ours.reset_local()
        ours.update([front.array(labels)], [front.array(scores)])
        found = [ours.get()[1], ours.get_global()[1]]
        assert found == pytest.approx(case["values"][position], rel=2e-6, abs=1e-7, nan_ok=True)


@pytest.mark.parametrize("title", sorted(PROGRAMS))
def test_program_returns_what_it_returns_in_mxnet(title):
    found = dict(programs.cases())[title](mx)
    found = json.loads(json.dumps(programs.plain(found)))
    if title == "refusals":  # ours are MXNet's errors, and more
        for ours, theirs in zip(found, PROGRAMS[title], strict=True):
            assert set(theirs) <= set(ours)
            assert "MXNetError" in ours
    else:
        assert found == PROGRAMS[title]


def test_metric_counts_nothing_before_the_first_batch():
    accuracy = metric.Accuracy()
    assert accuracy.num_inst == 0
    assert accuracy.sum_metric == 0.0
    assert math.isnan(accuracy.get()[1])
    assert str(accuracy) == "EvalMetric: {'accuracy': nan}"


def test_accuracy_takes_single_arrays_numpy_arrays_and_lists():
    accuracy = metric.Accuracy()
    accuracy.update(nd.array([0, 1, 1]), nd.array(SCORES))
    accuracy.update([onp.array([0, 1, 1])], [onp.array(SCORES)])
    accuracy.update([[0, 1, 1]], [SCORES])
    accuracy.update([np.array([0, 1, 1], dtype="int64")], [np.array(SCORES, dtype="float16")])
    assert accuracy.get() == ("accuracy", 2 / 3)
    assert accuracy.num_inst == 12


def test_accuracy_takes_column_labels_and_answers():
    accuracy = metric.Accuracy()
    accuracy.update([nd.array([[0], [1], [1]])], [nd.array(SCORES)])
    accuracy.update([nd.array([0, 1, 1])], [nd.array([0, 1, 0])])
    assert accuracy.get() == ("accuracy", 4 / 6)


def test_metrics_keep_no_graph_alive():
    x = nd.ones((2, 3))
    x.attach_grad()
    loss, accuracy = metric.Loss(), metric.Accuracy()
    with autograd.record():
        y = x * 2
        loss.update(None, [y])
        accuracy.update([nd.array([0, 1])], [y])
    assert loss.get() == ("loss", 2.0)
    assert accuracy.get() == ("accuracy", 0.5)


def test_sums_can_be_set_by_subclasses():
    class Half(metric.EvalMetric):
        def update(self, labels, preds):
            self.sum_metric += 1
            self.num_inst += 2

    half = Half("half")
    half.update(None, None)
    assert half.get() == half.get_global() == ("half", 0.5)
    assert Half("half", has_global_stats=True).get_global_name_value()[0][0] == "half"
    with pytest.raises(NotImplementedError, match="it has no update"):
        metric.EvalMetric("bare").update(None, None)


def test_global_values_of_a_subclass_without_them_are_those_of_its_own_method():
    class Tasks(metric.EvalMetric):
        def get(self):
            return zip(("task0", 1.0), ("task1", 2.0), strict=True)

        def get_name_value(self):
            return list(zip(*self.get(), strict=True))

    assert Tasks("tasks").get_global_name_value() == [("task0", 1.0), ("task1", 2.0)]


def test_update_dict_chooses_by_name():
    accuracy = metric.Accuracy(output_names=["o"], label_names=["l"])
    labels, scores = nd.array([0, 1, 1]), nd.array(SCORES)
    accuracy.update_dict({"k": scores, "l": labels}, {"p": labels, "o": scores})
    assert accuracy.get_name_value() == [("accuracy", 2 / 3)]
    with pytest.raises(KeyError, match=r"label 'l' is missing among \['k'\]. Expected all"):
        accuracy.update_dict({"k": labels}, {"o": scores})


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("acc", "Accuracy"),
        ("Accuracy", "Accuracy"),
        ("ce", "CrossEntropy"),
        ("f1", "F1"),
        ("loss", "Loss"),
        ("nll_loss", "NegativeLogLikelihood"),
        ("pearsonr", "PearsonCorrelation"),
        ("composite", "CompositeEvalMetric"),
    ],
)
def test_create_knows_the_names_of_mxnet(name, cls):
    assert type(metric.create(name)) is getattr(metric, cls)


def test_create_takes_lists_functions_metrics_and_json():
    accuracy = metric.Accuracy()
    assert metric.create(accuracy) is accuracy
    assert metric.create(["acc", "mse"]).get()[0] == ["accuracy", "mse"]
    assert metric.create(lambda *_: 1).name == "custom(<lambda>)"
    assert metric.create('["accuracy",{"axis":2}]').axis == 2
    assert metric.create('{"metric":"accuracy","axis":2}').axis == 2
    assert metric.create(metric.Accuracy(axis=3).get_config()).axis == 3


def test_create_refuses_what_it_does_not_know():
    with pytest.raises(AssertionError, match="bogus is not registered. Expected one of acc, "):
        metric.create("bogus")
    with pytest.raises(AssertionError, match="metric must be of string type, got 5"):
        metric.create(5)


def test_register_warns_when_it_overrides():
    class Mine(metric.EvalMetric):
        pass

    metric.register(Mine)
    metric.alias("mine_too")(Mine)
    assert type(metric.create("mine_too", "x")) is Mine
    other = type("Mine", (metric.EvalMetric,), {})
    with pytest.warns(UserWarning, match="registered with name mine is overriding"):
        metric.register(other)
    with pytest.raises(TypeError, match="Expected a subclass of EvalMetric"):
        metric.register(int)


def test_composite_passes_everything_on():
    both = metric.CompositeEvalMetric(["acc", metric.Loss()])
    both.update([nd.array([0, 1, 1])], [nd.array(SCORES)])
    assert both.get() == (["accuracy", "loss"], [2 / 3, pytest.approx(0.5)])
    assert [name for name, _ in both.get_name_value()] == ["accuracy", "loss"]
    assert both.get_global() == both.get()
    assert [part["metric"] for part in both.get_config()["metrics"]] == ["Accuracy", "Loss"]
    both.reset_local()
    assert math.isnan(both.get()[1][0])
    assert both.get_global()[1][0] == 2 / 3
    both.reset()
    assert math.isnan(both.get_global()[1][0])
    assert both.get_metric(0).name == "accuracy"
    with pytest.raises(ValueError, match="Metric index 7 is out of range 0 and 2"):
        both.get_metric(7)
    assert metric.CompositeEvalMetric().get_name_value() == []


def test_custom_metric_receives_numpy_arrays():
    def largest(label, pred):
        assert type(label) is type(pred) is onp.ndarray
        return abs(label - pred).max()

    ours = metric.np(largest)
    ours.update([nd.array([1, 2])], [nd.array([1, 5])])
    assert ours.get() == ("largest", 3.0)
    with pytest.raises(ValueError, match="Shape of labels 2 does not match"):
        ours.update([nd.ones(1), nd.ones(1)], [nd.ones(1)])
    extra = metric.CustomMetric(largest, "x", allow_extra_outputs=True)
    extra.update([nd.ones(1)], [nd.ones(1), nd.ones(1)])
    assert extra.num_inst == 1
    with pytest.raises(NotImplementedError, match="cannot be serialized"):
        extra.get_config()


@pytest.mark.parametrize(
    ("ours", "labels", "preds", "error", "message"),
    [
        ("acc", [[1, 2]], [[[0, 1]]], ValueError, "Shape of labels 2 does not match"),
        ("acc", None, [[1]], TypeError, "labels of type NoneType were given"),
        ("acc", [[1]], [[1], [2]], ValueError, "Shape of labels 1 does not match"),
        ("acc", [[1, 2, 3]], [[1.0]], errors.AxisError, "axis=1, and predictions of shape (1,)"),
        (
            "acc",
            [[[1.0, 2.0]]],
            [[1]],
            errors.AxisError,
            "seem to be swapped. Expected labels first. Write ",
        ),
        ("ce", [[0, 5]], [[[0.5, 0.5]] * 2], IndexError, "label 5 was given for predictions of 2"),
        ("ce", [[0, 1]], [[[0.5, 0.5]]], AssertionError, "2 labels and predictions of shape"),
        ("mse", [[1, 2]], [[1, 2, 3]], ValueError, "labels of shape (2,) and predictions"),
        ("f1", [[0, 1, 2]], [[[0.5, 0.5]] * 3], ValueError, "classification: labels 0, 1, 2 were"),
        ("f1", [[0, 1]], [[0.5, 0.5]], ValueError, "Expected scores of shape (batch, 2)"),
        ("pcc", [[0, 1]], [[1]], ValueError, "Expected predictions of shape (batch, classes)"),
        ("pearsonr", [[0, 1]], [[1]], ValueError, "Expected one shape"),
        ("acc", [["a"]], [["b"]], TypeError, "Expected arrays of numbers"),
    ],
)
def test_update_refuses_what_does_not_fit(ours, labels, preds, error, message):
    ours = metric.create(ours)
    with pytest.raises(error, match=re.escape(message)) as caught:
        ours.update(labels, preds)
    assert isinstance(caught.value, mx.MXNetError)
    assert ours.num_inst == 0


def test_construction_refuses_bad_options():
    with pytest.raises(AssertionError, match="use Accuracy if top_k is no more than 1"):
        metric.TopKAccuracy()
    with pytest.raises(ValueError, match="Expected 'macro'"):
        metric.F1(average="mean")
    with pytest.raises(AssertionError, match="no more than 2 dims"):
        metric.TopKAccuracy(top_k=2).update([nd.ones(2)], [nd.ones((2, 3, 4))])
    with pytest.raises(AssertionError, match=r"shape mismatch: \(2,\) vs. \(3, 2\)"):
        metric.Perplexity(None).update([nd.ones(2)], [nd.ones((3, 2))])


def test_pearson_micro_sees_all_batches_as_one():
    x, y = onp.random.rand(2, 30)  # noqa: NPY002 - seeded by the fixture
    micro = metric.PearsonCorrelation(average="micro")
    for part in (slice(0, 7), slice(7, 30)):
        micro.update([nd.array(x[part])], [nd.array(y[part])])
    expected = onp.corrcoef(x, y)[0, 1]
    assert micro.get()[1] == pytest.approx(expected, rel=1e-5)
    micro.reset_local()
    assert math.isnan(micro.get()[1])
    assert micro.get_global()[1] == pytest.approx(expected, rel=1e-5)


def test_check_label_shapes_wraps_and_compares():
    x = nd.ones((3, 2))
    assert metric.check_label_shapes(x, x, wrap=True) == ([x], [x])
    with pytest.raises(ValueError, match=r"Shape of labels \(3, 2\) does not match"):
        metric.check_label_shapes(x, nd.ones(3), shape=True)


def test_resets_of_subclasses_are_called_as_mxnet_calls_them():
    calls = []

    class Own(metric.Accuracy):
        def reset(self):
            calls.append("reset")
            super().reset()

    class OwnPCC(metric.PCC):
        def reset_local(self):
            calls.append("local")
            super().reset_local()

    metric.CompositeEvalMetric([Own()]).reset()
    OwnPCC()
    assert calls == ["reset", "reset", "local"]


def test_sums_of_pcc_are_the_coefficient_times_the_number_of_updates():
    pcc = metric.PCC()
    for truth in ([0, 1], [1, 1]):
        pcc.update([mx.nd.array(truth)], [mx.nd.array([[0.9, 0.1], [0.2, 0.8]])])
    coefficient = pcc.get()[1]
    assert pcc.sum_metric == pcc.global_sum_metric == pytest.approx(2 * coefficient)
    pcc.reset_local()
    pcc.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.2, 0.8]])])
    assert (pcc.sum_metric, pcc.global_num_inst) == (1, 3)


@pytest.mark.parametrize("ignored", [None, 2])
def test_perplexity_takes_the_first_class_for_negative_labels(ignored):
    perplexity = metric.Perplexity(ignored)
    scores = nd.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
    perplexity.update([nd.array([-1, 2])], [scores])
    assert perplexity.get()[1] == pytest.approx(5.0 if ignored is None else 10.0)
    perplexity.reset()
    perplexity.update([nd.array([-7, 1])], [scores])
    assert perplexity.get()[1] == pytest.approx((0.1 * 0.3) ** -0.5)
