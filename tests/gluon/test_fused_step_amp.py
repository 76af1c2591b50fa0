"""FusedStep in half precision and with a scaled loss gives what the plain loop gives."""

from __future__ import annotations

import time

import numpy as onp
import pytest
from instant import InstantJob

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.contrib import amp
from gluonish.gluon import nn
from gluonish.hybrid import judging

BAD = (1, 6, 9, 10)


def dense():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu", in_units=5, prefix="first_"))  # whatever was counted
    net.add(nn.Dense(3, in_units=8, prefix="last_"))
    return net


def normalized():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, in_units=5, use_bias=False), nn.BatchNorm(in_channels=8))
    net.add(nn.Activation("relu"), nn.Dropout(0.4), nn.Dense(3, in_units=8))
    return net


def batches(count, dtype):
    numbers = onp.random.default_rng(5)
    for step in range(count):
        data, label = numbers.normal(size=(6, 5)), numbers.integers(0, 3, 6)
        if step in BAD:
            data[2, 3] = onp.inf
        yield nd.array(data, dtype=dtype), nd.array(label)


def plain_step(net, loss, trainer, data, label, clip_norm):
    with autograd.record():
        found = loss(net(data), label)
        with amp.scale_loss(found, trainer) as scaled:
            scaled.backward()
    if clip_norm is not None:
        amp.unscale(trainer)
        grads = [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
        gluon.utils.clip_global_norm(grads, clip_norm, check_isfinite=False)
    trainer.step(data.shape[0])
    return found


def train(make, optimizer, options, *, fused, dtype="float32", steps=16, clip_norm=None, wait=None):
    """Train; return rows of what each step left, and the step."""
    mx.random.seed(3)
    net = make()
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), optimizer, dict(options))
    amp.init_trainer(trainer)
    trainer._amp_loss_scaler._scale_seq_len = 2
    trainer._amp_loss_scaler._loss_scale = trainer._amp_loss_scaler._next_loss_scale = 256.0
    step = gluon.FusedStep(net, loss, trainer, clip_norm=clip_norm)
    mx.random.seed(7)
    rows = []
    for data, label in batches(steps, dtype):
        if fused:
            found = step(data, label)
            if wait is not None:
                wait(step)
        else:
            found = plain_step(net, loss, trainer, data, label, clip_norm)
        states = [one for one in trainer._updaters[0].states.values() if one is not None]
        rows.append(
            {
                "loss": found.astype("float32").asnumpy(),
                "scale": trainer._amp_loss_scaler.loss_scale,
                "updates": dict(trainer.optimizer._index_update_count),
                "params": [
                    p.data().astype("float32").asnumpy() for p in net.collect_params().values()
                ],
                "states": [
                    part.astype("float32").asnumpy()
                    for state in states
                    for part in (state if isinstance(state, tuple) else (state,))
                    if isinstance(part, nd.NDArray)
                ],
            }
        )
    return rows, step


def check_same(make, optimizer, options, *, rtol=1e-5, **more):
    """Check that a fused step follows the plain loop, and was one graph at the end."""
    plain, _ = train(make, optimizer, options, fused=False, **more)
    fused, step = train(make, optimizer, options, fused=True, **more)
    assert [row["scale"] for row in fused] == [row["scale"] for row in plain]
    assert len({row["scale"] for row in plain}) > 2
    for one, other in zip(plain, fused, strict=True):
        assert one["updates"] == other["updates"]
        onp.testing.assert_allclose(other["loss"], one["loss"], rtol=rtol, atol=rtol)
        for name in ("params", "states"):
            for value, expected in zip(other[name], one[name], strict=True):
                onp.testing.assert_allclose(value, expected, rtol=rtol, atol=rtol)
    assert max(plain[-1]["updates"].values()) == len(plain) - len(BAD)
    assert "aot" in [row.backend for row in step.hybrid_report().rows]
    return step


OPTIMIZERS = [
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-2}),
    ("adam", {"learning_rate": 0.01, "wd": 1e-2}),
    ("nadam", {"learning_rate": 0.01}),
    ("lamb", {"learning_rate": 0.01}),
]


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
@pytest.mark.parametrize(("optimizer", "options"), OPTIMIZERS)
def test_scaled_losses_follow_the_plain_loop_in_one_graph(kind, optimizer, options):
    amp.init(kind)
    check_same(dense, optimizer, options, rtol=1e-4)
    assert InstantJob.count == 1  # whatever the scale was


@pytest.mark.usefixtures("instant")
def test_batch_norm_and_dropout_are_the_plain_loops_in_steps_that_are_skipped():
    amp.init()
    plain, _ = train(normalized, "sgd", {"learning_rate": 0.1}, fused=False, steps=6)
    fused, _ = train(normalized, "sgd", {"learning_rate": 0.1}, fused=True, steps=6)
    for one, other in zip(plain, fused, strict=True):
        for value, expected in zip(other["params"], one["params"], strict=True):
            onp.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.usefixtures("instant")
def test_gradients_are_clipped_as_after_unscale():
    amp.init()
    check_same(dense, "sgd", {"learning_rate": 1.0}, clip_norm=0.05, rtol=1e-4)
    assert InstantJob.count == 1


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_networks_with_float32_copies(dtype):
    amp.init(dtype)
    options = {"learning_rate": 0.1, "momentum": 0.9, "multi_precision": True}
    check_same(dense, "sgd", options, dtype=dtype, rtol=2e-2)


@pytest.mark.usefixtures("instant")
def test_gradients_that_are_added_up_are_scaled_and_checked():
    amp.init()
    results = []
    for fused in (False, True):
        mx.random.seed(3)
        net = dense()
        net.initialize(mx.init.Xavier())
        net.collect_params().setattr("grad_req", "add")
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        amp.init_trainer(trainer)
        step = gluon.FusedStep(net, loss, trainer)
        rows = []
        for number, (data, label) in enumerate(batches(32, "float32")):
            is_last = number % 2 == 1
            if fused:
                step(data, label, update=is_last)
            else:
                with autograd.record():
                    found = loss(net(data), label)
                    with amp.scale_loss(found, trainer) as scaled:
                        scaled.backward()
                if is_last:
                    trainer.step(6)
            if is_last:
                rows.append([p.data().asnumpy() for p in net.collect_params().values()])
                rows[-1] += [trainer._amp_loss_scaler.loss_scale, trainer.optimizer.num_update]
                net.collect_params().zero_grad()
        results.append(rows)
        backends = [row.backend for row in step.hybrid_report().rows]
        assert (backends == ["aot", "aot"]) is fused
    for one, other in zip(*results, strict=True):
        for value, expected in zip(other, one, strict=True):
            onp.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("instant")
def test_a_scale_that_comes_later_is_followed():
    amp.init()
    net = dense()
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    good = [batch for number, batch in enumerate(batches(12, "float32")) if number not in BAD]
    for data, label in good:
        step(data, label)
    assert InstantJob.count == 1
    amp.init_trainer(trainer)
    before = net[0].weight.data().asnumpy()
    for data, label in good:
        step(data, label)
    assert InstantJob.count == 2
    assert onp.isfinite(net[0].weight.data().asnumpy()).all()
    assert abs(net[0].weight.data().asnumpy() - before).max() > 1e-3
    before = net[0].weight.data().asnumpy()
    count = trainer.optimizer.num_update
    step(good[0][0] * float("nan"), good[0][1])
    assert trainer._amp_loss_scaler.has_skipped
    assert trainer.optimizer.num_update == count
    assert (net[0].weight.data().asnumpy() == before).all()


@pytest.mark.usefixtures("instant")
def test_mixed_precision_that_comes_later_is_followed():
    net = dense()
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.FusedStep(net, lambda out, label: out.sum() + 0 * label.sum(), trainer)
    batch = next(batches(1, "float32"))
    for _ in range(6):
        assert step(*batch).dtype is onp.float32
    amp.init(target_precision_ops=["FullyConnected", "sum"], fp32_ops=[])
    for _ in range(6):
        assert step(*batch).dtype is onp.float16
    assert InstantJob.count == 2


@pytest.mark.usefixtures("instant")
def test_a_step_that_is_skipped_proves_nothing():
    amp.init()
    net = dense()
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    amp.init_trainer(trainer)
    step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    data, label = next(batches(1, "float32"))
    for _ in range(8):
        step(data * float("nan"), label)
    assert [row.backend for row in step.hybrid_report().rows] == ["fx"]
    for _ in range(8):
        step(data, label)
    assert [row.backend for row in step.hybrid_report().rows] == ["aot"]


def wait_for_the_compiler(step):
    (graph,) = step._objective._graphs.graphs
    whole = graph.enter._steps.get(True)
    judge = None if whole is None else whole._judge
    for _ in range(3000):
        if judge is None or judge._compilation is None or judge._compilation.job.look():
            return
        time.sleep(0.1)
    pytest.fail("the compiler does not finish")


@pytest.mark.compiler
@pytest.mark.usefixtures("real_compiler")
def test_a_compiled_step_scales_and_skips(monkeypatch):
    def report(self, record):
        record.backend = "aot"
        return True

    monkeypatch.setattr(judging.Race, "report", report)
    monkeypatch.setattr(judging, "IN_A_ROW", 1)
    monkeypatch.setattr(judging, "FEWEST_ROUNDS", 1)
    monkeypatch.setattr(judging, "MOST_ROUNDS", 1)
    monkeypatch.setattr(judging, "LOOK_EVERY", 0)
    amp.init("bfloat16")
    check_same(dense, "adam", {"learning_rate": 0.01}, rtol=2e-2, wait=wait_for_the_compiler)
