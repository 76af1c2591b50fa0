"""Averages of weights, by hand and by an Estimator."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close
from estimator_programs import estimator_of, loader

import gluonish as mx
from gluonish.errors import InvalidArgumentError, ParameterFileError
from gluonish.gluon.contrib import estimator as kinds


def net_of(ctx=None):
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(3, in_units=2), mx.gluon.nn.BatchNorm(in_channels=3))
    net.initialize(mx.init.Xavier(), ctx=ctx)
    return net


def values(net):
    found = net.collect_params().items()
    return {name: param.data(param.list_ctx()[0]).asnumpy() for name, param in found}


@pytest.mark.parametrize("ctx", [None, [mx.cpu(0), mx.cpu(1)]])
def test_averages_are_those_of_the_formula(ctx):
    net = net_of(ctx)
    net[1].gamma.grad_req = "null"
    average = mx.gluon.MovingAverage(net.collect_params(), decay=0.8)
    expected = None
    for step in range(5):
        for param in net.collect_params().values():
            param.set_data(mx.nd.random.normal(shape=param.shape) + step)
        average.update()
        now = values(net)
        expected = expected or now
        copied = ("gamma", "running_mean", "running_var")
        expected = {
            name: value if name.endswith(copied) else 0.8 * expected[name] + 0.2 * value
            for name, value in now.items()
        }
    assert average.updates == 5
    with average.applied():
        for name, value in values(net).items():
            assert_close(value, expected[name])
        for param in net.collect_params().values():
            copies = param.list_data()
            assert all((one.asnumpy() == copies[0].asnumpy()).all() for one in copies)
    for name, value in values(net).items():
        assert (value == now[name]).all()
    average.apply()
    assert_close(values(net)["net_dense0_weight"], expected["net_dense0_weight"])


def test_weights_come_back_when_something_fails():
    net = net_of()
    average = mx.gluon.MovingAverage(net.collect_params())
    average.update()
    net[0].weight.set_data(mx.nd.ones((3, 2)))
    with pytest.raises(ZeroDivisionError), average.applied():
        raise ZeroDivisionError
    assert (net[0].weight.data().asnumpy() == 1).all()


def test_averages_go_on_from_a_file(tmp_path):
    net = net_of()
    average = mx.gluon.MovingAverage(net.collect_params(), decay=0.5)
    average.update()
    before = values(net)
    average.save(tmp_path / "average.params")
    other = mx.gluon.MovingAverage(net.collect_params(), decay=0.5)
    other.load(tmp_path / "average.params")
    net[0].weight.set_data(mx.nd.ones((3, 2)))
    for one in (average, other):
        one.update()
        with one.applied():
            mean = (before["net_dense0_weight"] + 1) / 2
            assert_close(values(net)["net_dense0_weight"], mean)


def test_averages_of_other_parameters_are_refused(tmp_path):
    net = net_of()
    average = mx.gluon.MovingAverage(net.collect_params())
    average.update()
    average.save(tmp_path / "average.params")
    other = mx.gluon.nn.Dense(4, in_units=2, prefix="net_dense0_")
    other.initialize()
    found = mx.gluon.MovingAverage(other.collect_params())
    text = r"belong to other parameters: 'net_batchnorm0_gamma' is unknown.*is \(3, 2\) in the file"
    with pytest.raises(ParameterFileError, match=text):
        found.load(tmp_path / "average.params")
    with found.applied():
        pass


@pytest.mark.parametrize("decay", [1, -0.1, "0.9", None])
def test_impossible_decays_are_refused(decay):
    with pytest.raises(InvalidArgumentError, match=r"decay=.* Expected a number in \[0, 1\)"):
        mx.gluon.MovingAverage({}, decay)
    with pytest.raises(InvalidArgumentError, match=r"decay="):
        kinds.MovingAverageHandler(decay)


def test_lists_of_parameters_are_refused():
    with pytest.raises(InvalidArgumentError, match=r"Write MovingAverage\(net.collect_params\(\)"):
        mx.gluon.MovingAverage([])


class Watches(kinds.BatchEnd, kinds.EpochBegin, kinds.EpochEnd):
    """Keeps what the weights are, after updates and where validation is."""

    priority = -1100

    def __init__(self):
        self.steps, self.begun, self.ended = [], [], []

    def epoch_begin(self, estimator, *args, **kwargs):
        self.begun.append(estimator.net[0].weight.data().asnumpy())

    def batch_end(self, estimator, *args, **kwargs):
        self.steps.append(estimator.net[0].weight.data().asnumpy())

    def epoch_end(self, estimator, *args, **kwargs):
        self.ended.append(estimator.net[0].weight.data().asnumpy())


@pytest.mark.parametrize("accumulate", [1, 2])
def test_estimators_validate_averages_and_train_on_weights(tmp_path, accumulate):
    found, _ = estimator_of(mx, tmp_path)
    watches, averaging = Watches(), kinds.MovingAverageHandler(decay=0.5)
    handlers = [watches, averaging]
    found.fit(loader(mx, 5), epochs=2, event_handlers=handlers, accumulate=accumulate)
    plain, _ = estimator_of(mx, tmp_path)
    alone = Watches()
    plain.fit(loader(mx, 5), epochs=2, event_handlers=alone, accumulate=accumulate)
    assert onp.array_equal(watches.steps, alone.steps)
    means, mean = [], None
    for number, weight in enumerate(alone.steps, 1):
        if number % accumulate == 0:
            mean = 0.5 * mean + 0.5 * weight if mean is not None else weight
            means.append(mean)
        elif mean is None:
            mean = weight  # before the first update
    assert_close(watches.ended[0], means[len(means) // 2 - 1])
    assert_close(watches.ended[1], means[-1])
    assert onp.array_equal(watches.begun[1], alone.begun[1])
    assert_close(found.net[0].weight.data().asnumpy(), means[-1])


# --- learning rates -------------------------------------------------------------------------


def trained(search, schedule=None):
    onp.random.seed(7)  # noqa: NPY002 - samplers
    mx.random.seed(7)
    net = mx.gluon.nn.HybridSequential()
    net.add(
        mx.gluon.nn.Dense(8),
        mx.gluon.nn.BatchNorm(),
        mx.gluon.nn.Dropout(0.5),
        mx.gluon.nn.Dense(3),
    )
    net.initialize()
    net(mx.nd.ones((1, 2)))
    options = {"learning_rate": 0.01, "lr_scheduler": schedule}
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", options)
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    found = kinds.Estimator(net, loss, trainer=trainer)
    found.logger.setLevel("WARNING")
    rows = [row for batch in loader(mx, 20) for row in zip(*batch, strict=True)]
    data = mx.gluon.data.DataLoader(mx.gluon.data.SimpleDataset(rows), 4, shuffle=True)
    rates = found.find_learning_rate(data, batches=30) if search else None
    assert trainer.optimizer.lr_scheduler is schedule
    assert trainer.learning_rate == 0.01
    found.fit(data, epochs=2)
    return rates, [value.tobytes() for value in values(net).values()]


@pytest.mark.parametrize("has_schedule", [False, True])
def test_a_search_for_a_learning_rate_changes_nothing(has_schedule):
    def schedule():
        return mx.lr_scheduler.FactorScheduler(3, 0.9) if has_schedule else None

    rates, after = trained(search=True, schedule=schedule())
    assert after == trained(search=False, schedule=schedule())[1]
    assert rates.suggestion in rates.rates
    assert len(rates.rates) == len(rates.losses) > 10
    assert rates.rates[0] == pytest.approx(1e-6)
    assert onp.allclose(onp.diff(onp.log(rates.rates)), onp.log(1e6) / 29)


def test_searches_find_shapes_that_are_not_known():
    net = mx.gluon.nn.Dense(3)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    found = kinds.Estimator(net, mx.gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer)
    assert found.find_learning_rate(loader(mx, 4)).suggestion > 0
    assert net.weight.shape == (3, 2)


def quadratic(value):
    net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.Constant(value))
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    found = kinds.Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
    found.logger.setLevel("WARNING")
    data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 1)), mx.nd.zeros((4, 1)))
    return net, found, mx.gluon.data.DataLoader(data, 2)


def test_searches_end_where_the_loss_has_grown_fourfold():
    net, found, data = quadratic(3.0)
    rates = found.find_learning_rate(data, smallest=1e-4, largest=100.0, batches=60)
    assert 2 < rates.rates[-1] < 50  # 2 is where this diverges
    assert rates.losses[-1] <= 4 * min(rates.losses)
    assert len(rates.losses) < 60
    assert rates.losses[0] == pytest.approx(4.5)
    assert 1e-3 < rates.suggestion < 2
    assert net.weight.data().asscalar() == 3


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"smallest": 0}, r"smallest=0 and largest=1.0 were given. Expected 0 < smallest"),
        ({"smallest": 2.0}, r"Expected 0 < smallest < largest"),
        ({"batches": 3}, r"batches=3 was given. Expected a whole number of at least 10"),
    ],
)
def test_searches_that_are_impossible_are_refused(options, text):
    _, found, data = quadratic(1.0)
    with pytest.raises(InvalidArgumentError, match=text):
        found.find_learning_rate(data, **options)


def test_losses_that_are_not_finite_are_told():
    net, found, data = quadratic(float("nan"))
    with pytest.raises(InvalidArgumentError, match="the loss is not finite, or grew fourfold"):
        found.find_learning_rate(data)
    assert found.trainer.learning_rate == 0.01
    empty = mx.gluon.data.DataLoader(mx.gluon.data.SimpleDataset([]), 2)
    with pytest.raises(InvalidArgumentError, match="train_data gave no batch"):
        found.find_learning_rate(empty)
    assert net.weight.data().shape == (1, 1)


def test_searches_are_drawn():
    _, found, data = quadratic(3.0)
    rates = found.find_learning_rate(data)
    axes = mx.viz.plot_learning_rates(rates).axes[0]
    assert list(axes.lines[0].get_ydata()) == rates.losses
    assert axes.get_xlabel() == "learning rate"
