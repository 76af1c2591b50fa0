"""Advice is about the program's own net, trainer, parameter or batch, where it is certain which."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.errors import own_objects

_BEGINNING = """
import gluonish as mx
from gluonish import nd, gluon
from gluonish.gluon import nn
model = nn.Sequential()
model.add(nn.Dense(2, in_units=3), nn.Dense(1, in_units=2))
model.initialize()
batch = nd.ones((2, 3))
"""


def _spelled(advice: str, program: str) -> str:
    """Return advice after a program that ends with an error."""
    path = "a_program.py"
    lines = [line + "\n" for line in (_BEGINNING + program).splitlines()]
    import linecache

    linecache.cache[path] = (len("".join(lines)), None, lines, path)
    with pytest.raises(Exception, match=r".") as caught:
        exec(compile("".join(lines), path, "exec"), {})
    step = caught.value.__traceback__
    while step is not None and step.tb_frame.f_code.co_filename != path:
        step = step.tb_next
    assert step is not None
    return own_objects.spelled(advice, step)


@pytest.mark.parametrize(
    ("advice", "program", "told"),
    [
        ("Call net.initialize().", "1 / 0", "Call model.initialize()."),
        ("Call net.initialize().", "other = nn.Dense(1)\n1 / 0", "Call net.initialize()."),
        ("Call net.initialize().", "other = nn.Dense(1)\nmodel(1 / 0)", "Call model.initialize()."),
        ("Call net.initialize().", "net = nn.Dense(1)\n1 / 0", "Call net.initialize()."),
        ("Call net.initialize().", "loss = gluon.loss.L2Loss()\n1 / 0", "Call model.initialize()."),
        ("net = nn.Dense(1), then net(x).", "1 / 0", "net = nn.Dense(1), then net(x)."),
        ("p.grad() has it.", "model[0].weight.grad / 2", "model[0].weight.grad() has it."),
        ("a for p in p.grad()", "model[0].weight.grad / 2", "a for p in p.grad()"),
        ("Write x.expand_dims(0).", "model(batch.sum())", "Write batch.sum().expand_dims(0)."),
        ("Write x.expand_dims(0).", "wide = batch.T\nmodel(wide)", "Write wide.expand_dims(0)."),
        ("pass one batch: model(x)", "model(batch)\n1 / 0", "pass one batch: model(batch)"),
        ("pass one batch: net(x)", "model(batch)\nmodel(batch.T)", "pass one batch: model(x)"),
        ("model(x) predicts", "model.predict(batch)", "model(batch) predicts"),
        ("net.summary(x) shows", "model(batch)\n1 / 0", "model.summary(batch) shows"),
        ("sum(x)", "model(batch)\n1 / 0", "sum(x)"),
        ("step(x.shape[0])", "model(batch)\n1 / 0", "step(batch.shape[0])"),
        ("ArrayDataset(data, labels)", "nd.dot(batch, batch.T, 1)", "ArrayDataset(data, labels)"),
        ("of (data, labels)", "nd.pick(batch, model[0].bias)", "of (batch, model[0].bias)"),
        (
            "x.attach_grad() of the new array x",
            "w = nd.ones(2, requires=1)",
            "w.attach_grad() of the new array w",
        ),
        ("Write Trainer(x).", "gluon.Trainer(1)", "Write gluon.Trainer(x)."),
        (
            "Write Trainer(x).",
            "from gluonish.gluon import Trainer\nTrainer(1)",
            "Write Trainer(x).",
        ),
        ("Write initialize(x).", "model.initialize(1)", "Write model.initialize(x)."),
        ("One is Dense(3).", "model.add(nn.Linear(3))", "One is nn.Dense(3)."),
        ("PyTorch's Dense(3)", "model.add(nn.Linear(3))", "PyTorch's Dense(3)"),
        ("Expected Dense(units).", "nn.Dense()", "Expected Dense(units)."),
        ("layer=Dense(3) was", "nn.Dense()", "layer=Dense(3) was"),
        ("BatchNorm(x)", "nd.add(nd.ones(2), 3, 4, 5)", "BatchNorm(x)"),
        ("concat(x, y)", "nd.add(nd.ones(2), 3, 4, 5)", "nd.concat(x, y)"),
        ("Write x.T.", "x = batch\nwide = batch.T\nmodel(wide)", "Write x.T."),
        ("Write x.expand_dims(0).", "nd.dot(batch, batch.T, 1, 2, 3)", "Write x.expand_dims(0)."),
        ("Write x.T, or x[0].", "nd.dot(batch, batch)", "Write batch.T, or batch[0]."),
        ("Write data.T.", "nd.clip(batch)", "Write batch.T."),
        ("an array x needs x.attach_grad()", "nd.clip(batch)", "an array x needs x.attach_grad()"),
        ("Write call(self, F, x): F", "model(batch.T)", "Write call(self, F, x): F"),
        ("nd.array(x)", "wide = batch.T\nmodel(wide)", "nd.array(wide)"),
        ("as 'net.initialize()'", "1 / 0", "as 'net.initialize()'"),
        ("trainer.step(2)", "t = gluon.Trainer(model.collect_params())\n1 / 0", "trainer.step(2)"),
        (
            "trainer.step(2)",
            "steps = gluon.Trainer(model.collect_params(), 'sgd')\n1 / 0",
            "steps.step(2)",
        ),
    ],
)
def test_advice_names_the_objects_of_the_program(advice: str, program: str, told: str) -> None:
    assert _spelled(advice, program) == told


def test_properties_that_can_not_tell_are_passed_over() -> None:
    program = (
        "module = mx.mod.Module(mx.sym.var('data'), label_names=None)\nmodule.output_shapes + 1 / 0"
    )
    assert _spelled("Call mod.bind() first.", program) == "Call module.bind() first."


@pytest.mark.parametrize("role", own_objects.ROLES)
def test_every_role_is_one_of_our_classes(role: str) -> None:
    found: object = mx
    for name in own_objects.ROLES[role].split("."):
        found = getattr(found, name)
    assert isinstance(found, type)
