"""Updaters go on from states that the real MXNet 1.9.1 and 1.6 pickled."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd
from gluonish.optimizer.saving import to_mxnet, to_safetensors, unpack
from gluonish.optimizer.updater import own_names
from gluonish.serialization.states import read_states
from tests.optimizer.golden import CASES, make, start

STATES = onp.load(Path(__file__).parent.parent / "golden" / "states.npz")
# LAMB of MXNet 1.6 updates float16 weights in another way than that of 1.9.1 and ours.
BOTH = sorted(
    name for name in STATES.files if name.endswith("/both") and name != "1.6.0/lamb-half/both"
)
FORMS = sorted(
    name
    for name in STATES.files
    if "/protocol" in name or "/python2" in name or name.endswith("/states")
)


def weights_at(row, like):
    arrays, place = [], 0
    for array in like:
        values = row[place : place + array.size].reshape(array.shape)
        arrays.append(nd.array(values, dtype=array.dtype))
        place += array.size
    return arrays


def tolerance(case):
    # MXNet rounds each square in the norm of a float16 weight to float16; here it is exact.
    return 2e-3 if case.get("dtype") == "float16" else 1e-5


def goes_on(name, data, make_other=make):
    version, title, _ = name.split("/")
    case, rows = CASES[title], STATES[f"{version}/{title}/rows"]
    like, steps = start(case)
    weights = weights_at(rows[0], like)
    updater = mx.optimizer.get_updater(make_other(case))
    if case["optimizer"] == "sgld":  # the file holds no random streams
        mx.random.seed(23)
        for _ in range(5):
            updater(list(range(len(weights))), steps[0], [w.copy() for w in weights])
    updater.set_states(data)
    for grads, expected in zip(steps[5:], rows[1:], strict=True):
        updater(list(range(len(weights))), grads, weights)
        values = onp.concatenate([array.asnumpy().ravel() for array in weights])
        onp.testing.assert_allclose(values, expected, rtol=tolerance(case), atol=tolerance(case))


def blank(case):
    """Return an optimizer of the class whose settings are all those of the file."""
    structural = ("multi_precision", "momentum", "centered", "batch_scale")
    kept = {key: value for key, value in case["args"].items() if key in structural}
    return mx.optimizer.create(case["optimizer"], **kept)


@pytest.mark.parametrize("name", BOTH)
def test_training_goes_on_as_in_mxnet(name):
    goes_on(name, STATES[name].tobytes(), blank)


@pytest.mark.parametrize("name", FORMS)
def test_every_protocol_is_read(name):
    data = STATES[name].tobytes()
    if name.endswith("/states"):
        whole = read_states(STATES[name[:-6] + "both"].tobytes(), "both")
        assert repr(read_states(data, name).states) == repr(whole.states)
    else:
        goes_on(name, data)


@pytest.mark.parametrize("name", [one for one in BOTH if one.count("-") < 2])
def test_what_is_written_for_mxnet_is_what_was_read(name):
    data = STATES[name].tobytes()
    ours = to_safetensors(data, name)
    assert repr(unpack(ours, "ours")) == repr(unpack(data, name))
    again = to_mxnet(ours, "ours")
    first, second = unpack(data, name), unpack(again, "again")
    assert repr(first.states) == repr(second.states)
    goes_on(name, again, blank)
    constants = first.optimizer.pop("constants")
    assert constants.items() <= second.optimizer.pop("constants").items()
    assert first.optimizer == second.optimizer


def test_sparse_states_and_np_arrays_are_read():
    saved = unpack(STATES["1.9.1/sparse"].tobytes(), "sparse")
    assert (saved.states[0].numpy() == STATES["1.9.1/sparse-dense"]).all()
    saved = unpack(STATES["1.9.1/np"].tobytes(), "np")
    assert (saved.states[1][0].numpy() == STATES["1.9.1/np-mean"]).all()
    assert saved.optimizer["name"] == "Adam"
    again = to_mxnet(to_safetensors(STATES["1.9.1/np"].tobytes(), "np"), "np", np_arrays=True)
    assert b"mxnet.numpy.multiarray" in again
    assert repr(unpack(again, "again").states) == repr(saved.states)


class Halved(mx.optimizer.Optimizer):
    def create_state(self, index, weight):
        return (nd.zeros(weight.shape), 7)

    def update(self, index, weight, grad, state):
        weight -= 0.5 * grad


def test_numbers_in_states_are_kept():
    updater = mx.optimizer.get_updater(Halved())
    updater(0, nd.ones((2,)), nd.ones((2,)))
    updater.states[0] = (nd.ones((2,)), 9)
    for content in (updater.get_states(), to_mxnet(updater.get_states(), "s")):
        other = mx.optimizer.get_updater(Halved())
        other.set_states(content)
        other(0, nd.ones((2,)), nd.ones((2,)))
        assert other.states[0][1] == 9
        assert other.states[0][0].asnumpy().tolist() == [1, 1]


class Slow(mx.lr_scheduler.LRScheduler):
    def __call__(self, num_update):
        return 0.5 / num_update


def test_own_optimizers_and_schedules_are_read_by_programs_that_have_them():
    registered = mx.optimizer.Optimizer.opt_registry
    registered["halved"] = Halved
    try:
        updater = mx.optimizer.get_updater(Halved(lr_scheduler=mx.lr_scheduler.PolyScheduler(9)))
        updater(0, nd.ones((2,)), nd.ones((2,)))
        names = own_names(updater.optimizer)
        assert (Halved.__module__, "Halved") in names
        content = to_mxnet(updater.get_states(dump_optimizer=True), "s", names)
        other = mx.optimizer.get_updater(Halved())
        other.set_states(content)
        assert other.optimizer.num_update == 0
        assert other.optimizer.lr_scheduler.max_update == 9
    finally:
        del registered["halved"]
    with pytest.raises(mx.MXNetError, match=r"it names '.*test_mxnet_states.Halved'; expected"):
        unpack(content, "s")
    optimizer = mx.optimizer.SGD(lr_scheduler=Slow())
    assert (Slow.__module__, "Slow") in own_names(optimizer)


def test_what_mxnet_does_not_have_can_not_be_written_for_it():
    updater = mx.optimizer.get_updater(mx.optimizer.AdamW())
    with pytest.raises(ValueError, match="those of the optimizer 'AdamW'. Expected one that MXNet"):
        to_mxnet(updater.get_states(dump_optimizer=True), "s")
    content = updater.get_states()
    assert unpack(to_mxnet(content, "s"), "s").states == {}

    class Mine(mx.lr_scheduler.LRScheduler):
        pass

    updater = mx.optimizer.get_updater(mx.optimizer.SGD(lr_scheduler=Mine()))
    with pytest.raises(ValueError, match="the learning rate schedule 'Mine'. Expected one"):
        to_mxnet(updater.get_states(dump_optimizer=True), "s")


def test_a_loaded_count_is_counted_from():
    updater = mx.optimizer.get_updater(mx.optimizer.Nadam())
    weight, grad = nd.ones((2,)), nd.ones((2,))
    for _ in range(3):
        updater(0, grad, weight)
    kept, values = updater.get_states(dump_optimizer=True), weight.copy()
    updater(0, grad, weight)
    updater.set_states(kept)  # one step back
    updater(0, grad, values)
    assert values.asnumpy().tolist() == weight.asnumpy().tolist()
