"""Optimizers: what they share, and schedules of the learning rate."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import nd
from gluonish.errors import MXNetError


@pytest.mark.parametrize("name", ["sgd", "nag", "adam"])
def test_many_weights_at_once_equal_one_by_one(name):
    options = {"learning_rate": 0.1, "wd": 0.1} | ({} if name == "adam" else {"momentum": 0.5})
    results = []
    for many in (False, True):
        optimizer = mx.optimizer.create(name, **options)
        optimizer.set_lr_mult({1: 0.5})
        optimizer.set_wd_mult({0: 0.0})
        weights = [nd.ones((3,)), nd.ones((2, 2))]
        updater = mx.optimizer.get_updater(optimizer)
        for _ in range(3):
            grads = [nd.ones((3,)) * 0.3, nd.ones((2, 2)) * 2]
            if many:
                updater([0, 1], grads, weights)
            else:
                for index in (0, 1):
                    updater(index, grads[index], weights[index])
        results.append([weight.asnumpy() for weight in weights])
    for one, other in zip(*results, strict=True):
        assert_close(one, other)
    assert results[0][0][0] != pytest.approx(results[0][1][0, 0])


def test_half_precision_weights_keep_a_float32_copy():
    optimizer = mx.optimizer.SGD(learning_rate=1e-4, momentum=0.9, multi_precision=True)
    weight = nd.ones((2,), dtype="float16")
    state = optimizer.create_state_multi_precision(0, weight)
    momentum, master = state
    assert (momentum.dtype, master.dtype) == (onp.float32, onp.float32)
    for _ in range(5):
        optimizer.update_multi_precision(0, weight, nd.ones((2,), dtype="float16"), state)
    assert 0.998 < float(master.asnumpy()[0]) < 1
    assert weight.dtype is onp.float16


@pytest.mark.filterwarnings("ignore:Accumulating with float16")
@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("nadam", (0.0999755859375, 0.0010004043579101562)),  # as MXNet 1.9.1 answers
        ("adamax", (0.0999755859375, 1.0)),
        ("adam", (0.10009765625, 0.0009765625)),  # an operator, which rounds beta alone
    ],
)
def test_shares_of_means_are_rounded_in_half_precision_as_in_mxnet(name, means):
    optimizer = mx.optimizer.create(name)
    weight = nd.ones((1,), dtype="float16")
    state = optimizer.create_state(0, weight)
    optimizer.update(0, weight, nd.ones((1,), dtype="float16"), state)
    assert tuple(float(each.asscalar()) for each in state) == means


def test_half_precision_without_a_copy_is_warned_of():
    optimizer = mx.optimizer.Adam()
    for dtype in ("float16", "bfloat16"):
        said = f"Accumulating with {dtype} in .* Consider using multi_precision=True"
        with pytest.warns(UserWarning, match=said):
            optimizer.create_state_multi_precision(0, nd.ones((2,), dtype=dtype))


def test_own_optimizer_is_used_by_name():
    @mx.optimizer.register
    class Halver(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return None

        def update(self, index, weight, grad, state):
            self._update_count(index)
            weight[:] = weight * 0.5

    optimizer = mx.optimizer.create("halver")
    weights = [nd.ones((1,)), nd.ones((1,))]
    mx.optimizer.get_updater(optimizer)([0, 1], weights, weights)
    assert [weight.asscalar() for weight in weights] == [0.5, 0.5]
    assert optimizer.num_update == 1


def test_unknown_names_and_arguments_are_refused():
    with pytest.raises(ValueError, match="Cannot find optimizer foo. Expected one of adadelta"):
        mx.optimizer.create("foo")
    with pytest.raises(
        TypeError, match=r"optimizer: 3 of type int was given. Expected a name.* Write 'sgd'"
    ):
        mx.optimizer.create(3)
    with pytest.raises(AssertionError, match="should be a dict of param indexes to names"):
        mx.optimizer.SGD(param_idx2name=["a"])
    with pytest.raises(ValueError, match="warmup_strategy='cubic' was given. Expected one of 'lin"):
        mx.optimizer.LBSGD(warmup_strategy="cubic")
    with pytest.raises(TypeError, match="SGD: got an unexpected keyword argument, foo=1"):
        mx.optimizer.create("sgd", foo=1)
    with pytest.raises(ValueError, match=r"beta1=1.5 was given. Expected a number in \[0, 1\)"):
        mx.optimizer.Adam(beta1=1.5)
    with pytest.raises(MXNetError, match=r"neither update\(\) nor compute\(\) is defined"):
        mx.optimizer.Optimizer().update(0, nd.ones((1,)), nd.ones((1,)), None)


def test_scheduler_decides_on_the_learning_rate():
    schedule = mx.lr_scheduler.FactorScheduler(step=1, factor=0.5, base_lr=9)
    optimizer = mx.optimizer.SGD(learning_rate=1.0, lr_scheduler=schedule)
    weight = nd.zeros((1,))
    for _ in range(3):
        optimizer.update(0, weight, nd.ones((1,)), None)
    assert weight.asscalar() == pytest.approx(-(1 + 0.5 + 0.25))
    with pytest.raises(UserWarning, match="LRScheduler of the optimizer has already been defined"):
        optimizer.set_learning_rate(3)


class _Falling:
    """A schedule that is a callable and no more."""

    def __call__(self, num_update):
        return (num_update + 1.0) ** -0.5


def test_any_callable_is_a_schedule():
    optimizer = mx.optimizer.create("sgd", lr_scheduler=_Falling())
    assert optimizer.learning_rate == 1.0
    assert optimizer.lr is None
    weight = nd.zeros((1,))
    for _ in range(2):
        optimizer.update(0, weight, nd.ones((1,)), None)
    assert weight.asscalar() == pytest.approx(-(2**-0.5 + 3**-0.5))


def test_a_schedule_gets_base_lr_only_with_a_learning_rate():
    schedule = _Falling()
    mx.optimizer.SGD(lr_scheduler=schedule)
    assert not hasattr(schedule, "base_lr")
    mx.optimizer.SGD(learning_rate=0.3, lr_scheduler=schedule)
    assert schedule.base_lr == 0.3


@pytest.mark.parametrize("kind", [mx.nd.array, mx.np.array])
def test_schedules_give_numbers_for_updates_that_are_arrays(kind):
    scheduler = mx.lr_scheduler
    for make in (
        lambda: scheduler.CosineScheduler(20, base_lr=0.3, warmup_steps=5),
        lambda: scheduler.PolyScheduler(50, warmup_steps=5),
        lambda: scheduler.FactorScheduler(3, 0.5, warmup_steps=5),
        lambda: scheduler.MultiFactorScheduler([6, 9], 0.5, warmup_steps=5),
    ):
        for update in (2, 7, 12):
            found = make()(kind([update]))
            assert type(found) is float
            assert found == make()(update)


def test_schedules_equal_mxnets():
    scheduler = mx.lr_scheduler
    cases = {
        scheduler.FactorScheduler(3, 0.5, 0.05, 1.0, 2, 0.1): [
            0.1, 0.55, 1.0, 1.0, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125],
        scheduler.FactorScheduler(2, 0.9): [
            0.01, 0.01, 0.01, 0.009, 0.009, 0.0081, 0.0081, 0.00729, 0.00729, 0.006561, 0.006561,
            0.005905],
        scheduler.MultiFactorScheduler([3, 5], 0.1, 1.0, 1, 0.2, "constant"): [
            0.2, 1.0, 1.0, 1.0, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01],
        scheduler.PolyScheduler(8, 1.0, 2, 0.1, 2, 0.3): [
            0.3, 0.65, 1.0, 0.725, 0.5, 0.325, 0.2, 0.125, 0.1, 0.1, 0.1, 0.1],
        scheduler.CosineScheduler(8, 1.0, 0.1, 3, 0.2): [
            0.2, 0.466667, 0.733333, 1.0, 0.914058, 0.689058, 0.410942, 0.185942, 0.1, 0.1, 0.1,
            0.1],
    }  # fmt: skip
    for schedule, expected in cases.items():
        assert [schedule(n) for n in range(12)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: mx.lr_scheduler.FactorScheduler(0), "step=0"),
        (lambda: mx.lr_scheduler.FactorScheduler(2, 1.5), "factor=1.5"),
        (lambda: mx.lr_scheduler.MultiFactorScheduler([5, 3]), "increasing list"),
        (lambda: mx.lr_scheduler.PolyScheduler(0), "max_update=0"),
        (lambda: mx.lr_scheduler.CosineScheduler(10, warmup_steps=-1), "warmup_steps=-1"),
        (lambda: mx.lr_scheduler.FactorScheduler(2, warmup_mode="x"), "'linear' or 'constant'"),
        (lambda: mx.lr_scheduler.FactorScheduler(2, warmup_begin_lr=1), "warmup_begin_lr=1"),
    ],
)
def test_impossible_schedules_are_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_list_of_steps_is_required():
    with pytest.raises(AssertionError, match="Expected a list of at least one number"):
        mx.lr_scheduler.MultiFactorScheduler(3)


@pytest.mark.parametrize("name", ["warmup_steps", "max_update"])
def test_numbers_of_updates_are_integers(name):
    with pytest.raises(AssertionError, match=f"{name}=2.5 was given. Expected an integer"):
        mx.lr_scheduler.PolyScheduler(**{"max_update": 5, name: 2.5})


def test_schedules_define_a_learning_rate():
    with pytest.raises(NotImplementedError, match=r"subclass of LRScheduler that defines __call__"):
        mx.lr_scheduler.LRScheduler()(3)


def test_group_adagrad_is_for_matrices_without_decay():
    optimizer = mx.optimizer.contrib.GroupAdaGrad(param_idx2name={0: "fc_bias"}, wd=0.1)
    with pytest.raises(
        AssertionError, match=r"weight 'fc_bias' of shape \(3,\) was given. Expected a"
    ):
        optimizer.create_state(0, nd.ones((3,)))
    weight = nd.ones((3, 2))
    state = optimizer.create_state(1, weight)
    with pytest.raises(AssertionError, match="Weight decay is not supported for GroupAdaGrad"):
        optimizer.update(1, weight, weight, state)


def test_delay_compensation_has_momentum():
    optimizer = mx.optimizer.DCASGD(momentum=0.5, learning_rate=0.1, lamda=2.0)
    weight = nd.ones((1,))
    state = optimizer.create_state(0, weight)
    for _ in range(2):
        optimizer.update(0, weight, nd.ones((1,)), state)
    assert weight.asscalar() == pytest.approx(1 - 0.1 - 0.05 - 0.08)


def test_adamax_leaves_weights_without_gradients():
    optimizer = mx.optimizer.Adamax(learning_rate=0.1)
    weight = nd.ones((2,))
    optimizer.update(0, weight, nd.array([0, 1]), optimizer.create_state(0, weight))
    assert weight.asnumpy() == pytest.approx([1, 0.9])


@pytest.mark.parametrize("name", ["adagrad", "adadelta", "ftrl", "rmsprop", "groupadagrad", "lamb"])
def test_half_precision_works_without_a_copy(name):
    optimizer = mx.optimizer.create(name, learning_rate=0.1)
    weight = nd.ones((2, 2), dtype="float16")
    optimizer.update(0, weight, weight.copy(), optimizer.create_state(0, weight))
    assert (weight.asnumpy() < 1).all()


class Halving(mx.lr_scheduler.LRScheduler):
    def __call__(self, num_update):
        return 0.4 if num_update < 3 else 0.1


def test_lars_corrects_the_momentum_of_all_weights():
    optimizer = mx.optimizer.LARS(momentum=0.9, eta=0.1, lr_scheduler=Halving())
    weights = [nd.ones((2,)) for _ in range(6)]
    updater = mx.optimizer.get_updater(optimizer)
    for _ in range(3):
        updater(list(range(6)), [nd.ones((2,)) for _ in range(6)], weights)
    for weight in weights:
        assert weight.asnumpy() == pytest.approx([0.8600039, 0.8600039], rel=1e-5)  # MXNet's first


def test_lars_stands_still_while_the_learning_rate_is_0():
    optimizer = mx.optimizer.LARS(momentum=0.5, eta=0.1, learning_rate=1.0)
    updater = mx.optimizer.get_updater(optimizer)
    weight, found = nd.array([1.0, 2.0]), []
    for rate in (1.0, 0.5, 0.0, 0.25, 0.25):
        optimizer.set_learning_rate(rate)
        updater(0, nd.array([0.5, -0.25]), weight)
        found.append(float(weight[0].asscalar()))
    assert found == pytest.approx([0.8, 0.6495013, 0.6495013, 0.5987393, 0.5223618])  # MXNet's


@pytest.mark.parametrize("name", ["nadam", "lars", "adam", "lamb"])
def test_copies_on_several_contexts_stay_equal(name):
    optimizer = mx.optimizer.create(name, learning_rate=0.1)
    updaters = [mx.optimizer.get_updater(optimizer) for _ in range(2)]
    copies = [[nd.ones((2,)), nd.ones((3,))] for _ in range(2)]
    for _ in range(3):
        for device, (updater, weights) in enumerate(zip(updaters, copies, strict=True)):
            optimizer._set_current_context(device)
            updater([0, 1], [nd.ones((2,)), nd.ones((3,))], weights)
    for one, other in zip(*copies, strict=True):
        assert one.asnumpy().tolist() == other.asnumpy().tolist()


def test_factors_can_be_read_again():
    optimizer = mx.optimizer.Nadam()
    optimizer._update_count([0, 1])
    assert optimizer.factors([0, 1]) == optimizer.factors([0, 1])


def test_constants_are_what_stays_from_step_to_step():
    optimizer = mx.optimizer.LARS(momentum=0.9, clip_gradient=2.0)
    before = optimizer.constants()
    assert (before["momentum"], before["clip_gradient"], before["eta"]) == (0.9, 2.0, 0.001)
    weight = nd.ones((2,))
    optimizer.update(0, weight, weight, optimizer.create_state(0, weight))
    optimizer.set_learning_rate(3.0)
    assert optimizer.constants() == before


def test_names_stand_in_mxnets_modules():
    assert mx.optimizer.optimizer.AdaDelta is mx.optimizer.AdaDelta
    assert mx.optimizer.create("groupadagrad").__class__ is mx.optimizer.contrib.GroupAdaGrad


def test_the_environment_says_how_many_weights_are_updated_at_once(monkeypatch):
    names = ("sgd", "lars", "lamb", "adam")
    for text, found in (("", [4, 4, 45, 0]), ("2", [2, 2, 2, 0]), ("0", [0, 0, 1, 0])):
        monkeypatch.setenv("MXNET_OPTIMIZER_AGGREGATION_SIZE", text)
        assert [mx.optimizer.create(name).aggregate_num for name in names] == found
    monkeypatch.setenv("MXNET_OPTIMIZER_AGGREGATION_SIZE", "x")
    with pytest.raises(ValueError, match="MXNET_OPTIMIZER_AGGREGATION_SIZE='x': how many"):
        mx.optimizer.create("sgd")


_NUMBERS = {"learning_rate": 0.137, "wd": 0.013, "rescale_grad": 1 / 3, "clip_gradient": 0.7}


def _single(number):
    return float(onp.float32(number))


@pytest.mark.parametrize("name", ["adam", "adamw", "ftml", "ftrl", "lamb", "nadam", "sgd"])
@pytest.mark.parametrize("how", ["given", "set", "scheduled"])
def test_numbers_of_numpy_count_as_pythons(name, how):
    """MXNet computed with NumPy 1, where a float32 beside Python's number was a float64."""

    def trained(number):
        settings = {key: number(value) for key, value in _NUMBERS.items()}
        if "beta1" in mx.optimizer.create(name).__dict__:
            settings |= {"beta1": number(0.9), "beta2": number(0.99)}
        if how == "scheduled":
            settings["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(2, factor=number(0.7))
        optimizer = mx.optimizer.create(name, **settings)
        if how == "set":
            optimizer.set_learning_rate(number(0.3))
        weight = nd.array(onp.linspace(-1, 1, 50))
        state = optimizer.create_state(0, weight)
        for i in range(5):
            optimizer.update(0, weight, nd.array(onp.cos(onp.arange(50) * (i + 1))), state)
        return weight.asnumpy().tolist()

    assert trained(onp.float32) == trained(_single)


@pytest.mark.parametrize(
    ("name", "given", "rate"),
    [
        ("sgd", {}, None),
        ("nag", {}, None),
        ("adadelta", {}, None),
        ("lars", {}, None),
        ("adam", {}, 0.001),
        ("ftrl", {}, 0.1),
        ("sgd", {"learning_rate": 0.7}, 0.7),
    ],
)
def test_a_schedule_leaves_no_rate_where_none_is_given_and_there_is_no_default(name, given, rate):
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2)
    optimizer = mx.optimizer.create(name, lr_scheduler=schedule, **given)
    assert optimizer.lr == rate
    assert optimizer.learning_rate == schedule.base_lr
    assert mx.optimizer.create(name, **given).lr == (rate or 0.01)


def test_a_schedule_that_ends_without_a_rate_says_what_to_set():
    weight = mx.nd.ones(1)
    sgd = mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2))
    sgd.update(0, weight, mx.nd.ones(1), None)
    sgd.lr_scheduler = None
    with pytest.raises(TypeError, match=r"SGD: lr=None, .* Call set_learning_rate\(0.1\) behind"):
        sgd.update(0, weight, mx.nd.ones(1), None)
    sgd.set_learning_rate(0.3)
    sgd.update(0, weight, mx.nd.ones(1), None)
    assert weight.asnumpy() == pytest.approx(0.5)


def test_the_optimizer_for_tests_counts_nothing():
    test, weight = mx.optimizer.Test(), mx.nd.ones(1)
    updater = mx.optimizer.get_updater(test)
    updater(0, mx.nd.ones(1), weight)
    updater([0, 1], [mx.nd.ones(1)] * 2, [weight, mx.nd.ones(1)])
    assert (test.num_update, test._index_update_count) == (0, {})
    assert weight.asnumpy() == updater.states[0].asnumpy() == 3.0
