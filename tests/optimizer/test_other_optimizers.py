"""Objects that merely behave as optimizers; values and calls are those of MXNet 1.9.1."""

from __future__ import annotations

import pytest

import gluonish as mx


class Plain:
    aggregate_num = 0
    multi_precision = False

    def __init__(self):
        self.log = []

    def _set_current_context(self, device_id):
        self.log.append(("context", device_id))

    def create_state_multi_precision(self, index, weight):
        self.log.append(("create", index))
        return mx.nd.zeros(weight.shape, ctx=weight.context)

    def update_multi_precision(self, index, weight, grad, state):
        self.log.append(("update", index))
        rows = (
            zip(weight, grad, state, strict=True)
            if isinstance(index, tuple)
            else [(weight, grad, state)]
        )
        for array, gradient, total in rows:
            total += gradient
            array -= 0.5 * total


class Wrapped(Plain):
    def __init__(self):
        super().__init__()
        self._inner = mx.optimizer.SGD()

    def __getattr__(self, name):
        return getattr(self._inner, name)


class OfMXNet(mx.optimizer.Updater):
    def __call__(self, index, grad, weight):
        if index not in self.states:
            self.states[index] = self.optimizer.create_state_multi_precision(index, weight)
            self.states_synced[index] = True
        elif not self.states_synced[index]:
            state = self.sync_state_context(self.states[index], weight.context)
            self.states[index] = state
            self.states_synced[index] = True
        self.optimizer.update_multi_precision(index, weight, grad, self.states[index])


def ones(count):
    return [mx.nd.ones(2) for _ in range(count)]


@pytest.mark.parametrize("kind", [Plain, Wrapped])
@pytest.mark.parametrize(("size", "calls"), [(0, [0, 0, 1, 2, 3]), (2, [(0,), (0,), (1, 2), (3,)])])
def test_whatever_behaves_as_an_optimizer_updates(kind, size, calls):
    own = kind()
    own.aggregate_num = size
    updater = mx.optimizer.get_updater(own)
    (weight,) = ones(1)
    updater(0, mx.nd.ones(2), weight)
    updater(0, mx.nd.ones(2), weight)
    others = ones(3)
    updater([1, 2, 3], ones(3), others)
    assert weight.asnumpy().tolist() == [-0.5, -0.5]
    assert others[2].asnumpy().tolist() == [0.5, 0.5]
    assert [each for what, each in own.log if what == "update"] == calls
    assert own.log[:3] == [("context", 0), ("create", 0), ("update", calls[0])]
    assert [what for what, _ in own.log].count("context") == 3
    assert updater.states_synced == dict.fromkeys(range(4), True)


def test_its_states_are_saved_and_meet_their_weights_when_first_used():
    own = Plain()
    own.rate = 3
    updater, (weight,) = mx.optimizer.get_updater(own), ones(1)
    updater([0, 1], ones(2), [weight, *ones(1)])
    loaded = mx.optimizer.get_updater(Plain())
    loaded.optimizer.rate = 2
    loaded.set_states(updater.get_states(dump_optimizer=True))
    assert loaded.optimizer.rate == 3
    assert loaded.states_synced == {0: False, 1: False}
    there = mx.nd.ones(2, ctx=mx.cpu(1))
    loaded(0, mx.nd.ones(2, ctx=mx.cpu(1)), there)
    assert loaded.states_synced == {0: True, 1: False}
    assert loaded.states[0].context == mx.cpu(1)
    assert there.asnumpy().tolist() == [0.0, 0.0]


def test_a_store_takes_it():
    kv, own, out = mx.kv.create("local"), Wrapped(), mx.nd.zeros(2)
    kv.set_optimizer(own)
    kv.init([4, 5], ones(2))
    kv.push([4, 5], ones(2))
    kv.pull(5, out=out)
    assert out.asnumpy().tolist() == [0.5, 0.5]
    assert [each for what, each in own.log if what == "update"] == [4, 5]
    with pytest.raises(TypeError, match="Expected an optimizer"):
        kv.set_optimizer(mx.optimizer.SGD)
    with pytest.raises(TypeError, match="Expected an optimizer"):
        kv.set_optimizer(len)


@pytest.mark.parametrize("kind", [OfMXNet, mx.optimizer.Updater])
def test_updaters_of_programs_and_ours_agree_on_what_has_met_its_weight(kind):
    options = {"learning_rate": 0.5, "momentum": 0.5}
    updater, (weight,) = kind(mx.optimizer.SGD(**options)), ones(1)
    updater(0, mx.nd.ones(2), weight)
    updater(1, mx.nd.ones(2), mx.nd.ones(2))
    assert updater.states_synced == {0: True, 1: True}
    loaded = kind(mx.optimizer.SGD(**options))
    loaded.set_states(updater.get_states())
    assert loaded.states_synced == {0: False, 1: False}
    loaded(0, mx.nd.ones(2), weight)
    assert loaded.states_synced == {0: True, 1: False}
    assert weight.asnumpy().tolist() == [-0.25, -0.25]
    loaded.states_synced = dict.fromkeys(loaded.states, False)
    loaded(1, mx.nd.ones(2), weight)
    assert loaded.states_synced == {0: False, 1: True}
