"""What a training's time goes into, and what is said about it."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, profiler
from gluonish.gluon import nn
from gluonish.profiler import stages
from gluonish.profiler.advice import Finding, advise
from gluonish.profiler.recording import recording


@pytest.fixture(autouse=True)
def fresh():
    yield
    profiler.set_state("stop")
    recording.clear()
    profiler.set_config()
    assert stages._originals == []


def net_of(*layers, hybridized=False):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(*[layer() for layer in layers or (lambda: nn.Dense(4), lambda: nn.Dense(2))])
    mx.random.seed(0)
    net.initialize()
    if hybridized:
        net.hybridize(backend="fx")
    return net


class Naps(gluon.data.Dataset):
    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        return 20

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return onp.full(3, index / 20, "float32"), onp.float32(index % 2)


def training(net, nap=0.0, metric=None, epochs=1):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    data = gluon.data.DataLoader(Naps(nap), 5)

    def train():
        for _ in range(epochs):
            for x, y in data:
                with autograd.record():
                    out = net(x)
                    loss = loss_of(out, y)
                loss.backward()
                trainer.step(len(x))
                if metric is not None:
                    metric.update([y], [out])

    return train


def test_stages_are_what_a_step_consists_of_and_add_up():
    found = profiler.explain(training(net_of(), metric=mx.metric.Accuracy()))
    names = ["data", "forward", "backward", "update", "metrics", "waiting", "rest"]
    assert [name for name in found.stages if name != "waiting"] == [
        n for n in names if n != "waiting"
    ]
    assert sum(found.stages.values()) == pytest.approx(found.seconds)
    assert found.steps == 4
    for stage, text in {"data": "for x, y", "forward": "net(x)", "backward": ".backward",
                        "update": ".step("}.items():  # fmt: skip
        file, _, number = found.lines[stage].rpartition(":")
        assert file == "test_explaining.py"
        lines = Path(__file__).read_text(encoding="utf-8").splitlines()
        assert text in lines[int(number) - 1] or stage == "forward"


def test_layers_have_their_own_time():
    class Rests(nn.HybridBlock):
        def __init__(self, seconds):
            super().__init__()
            self.seconds = seconds
            self.inside = nn.Dense(3, prefix="inside_")

        def hybrid_forward(self, F, x):
            time.sleep(self.seconds)
            return self.inside(x)

    net = net_of(lambda: Rests(0.01), lambda: nn.Dense(2))
    net(mx.nd.ones((5, 3)))
    found = profiler.explain(training(net))
    first, (seconds, calls) = next(iter(found.layers.items()))
    assert first.startswith("Rests '")
    assert calls == 4
    assert 0.04 <= seconds < 0.04 + 0.5 * found.seconds
    inside = next(value for name, value in found.layers.items() if "inside" in name)
    assert inside[0] < seconds


def test_layers_of_one_name_are_added_up():
    layers = [nn.Dense(2, in_units=3, prefix="same_") for _ in range(3)]
    for layer in layers:
        layer.initialize()
    found = profiler.explain(lambda: [layer(mx.nd.ones((1, 3))) for layer in layers])
    assert found.layers["Dense 'same'"][1] == 3


def test_slow_data_are_told():
    found = profiler.explain(training(net_of(), nap=0.005))
    assert found.stages["data"] > 0.1
    assert "% of the time goes into the data, at test_explaining.py:" in found.advice[0]
    assert "Have other processes read them: DataLoader(..., num_workers=" in found.advice[0]


def test_what_happens_inside_of_data_is_data():
    transform = nn.Dense(3, in_units=3, prefix="transform_")
    transform.initialize()

    class Transforms(Naps):
        def __getitem__(self, index):
            x, y = super().__getitem__(index)
            return transform(mx.nd.array(x[None]))[0].asnumpy(), y

    net = net_of()
    data = gluon.data.DataLoader(Transforms(0), 5)
    found = profiler.explain(lambda: [net(x) for x, _ in data])
    assert not any(transform.name in name for name in found.layers)
    assert [name for name in found.stages if name != "waiting"] == ["data", "forward", "rest"]


def test_blocks_that_stay_in_python_are_told_with_their_reason():
    class Reads(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x if x.sum().asscalar() > 0 else -x

    net = net_of(lambda: nn.Dense(4), Reads, hybridized=True)
    found = profiler.explain(training(net))
    names = [name for name in found.in_python if "Reads" in name]
    assert len(names) == 1
    assert "test_explaining.py:" in found.in_python[names[0]]
    assert "Python reads a value of the data" in found.in_python[names[0]]
    assert "Reads" in str(found).partition("Blocks in Python:")[2]


def test_nets_that_are_not_hybridized_are_told_and_others_are_not():
    net = net_of(*[lambda: nn.Dense(50)] * 10)
    found = profiler.explain(training(net))
    assert found.in_python[f"HybridSequential '{net.name}'"].startswith("not hybridized. Call")
    net = net_of(hybridized=True)
    found = profiler.explain(training(net))
    assert not any("HybridSequential" in name for name in found.in_python)


def test_graphs_are_said_to_be_one_layer():
    text = "A captured graph counts as one layer"
    net = net_of(*[lambda: nn.Dense(300)] * 10, hybridized=True)
    assert text in " ".join(profiler.explain(training(net, epochs=3)).advice)
    assert text not in advise(finding({"forward": 0.9}))[0]


def test_a_loop_that_is_watched_computes_the_same():
    def weights(watch, epochs):
        net = net_of(hybridized=True)
        train = training(net, epochs=epochs)
        profiler.explain(train) if watch else train()
        return [param.data().asnumpy().tobytes() for param in net.collect_params().values()]

    assert weights(watch=True, epochs=6) == weights(watch=False, epochs=6)


def test_fused_steps_are_one_stage():
    net = net_of()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer, backend="fx")
    x, y = mx.nd.ones((4, 3)), mx.nd.ones((4, 2))
    found = profiler.explain(lambda: [step(x, y) for _ in range(5)])
    names = ["forward", "backward", "update", "step", "rest"]
    assert [name for name in found.stages if name != "waiting"] == names
    assert found.steps == 5


def test_modules_and_iterators_are_seen():
    net = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax"
    )
    data = mx.io.NDArrayIter(onp.ones((8, 3)), onp.zeros(8), 4)
    module = mx.mod.Module(net)
    found = profiler.explain(module.fit, data, num_epoch=1)
    assert {"data", "forward", "backward", "update", "metrics"} <= set(found.stages)
    assert found.steps == 2


def test_clipped_updates_are_one_step_each():
    net = net_of()
    data = gluon.data.DataLoader(Naps(0), 5)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    estimator = gluon.contrib.estimator.Estimator(net, loss, trainer=trainer)
    estimator.logger.setLevel("WARNING")
    found = profiler.explain(estimator.fit, data, epochs=1, clip_norm=1.0)
    assert found.steps == 4


def test_other_threads_do_not_count():
    x = mx.nd.ones(3)

    def work():
        thread = threading.Thread(target=x.asnumpy)
        thread.start()
        thread.join()

    assert list(profiler.explain(work).stages) == ["rest"]


def test_an_explanation_prints_itself():
    found = profiler.explain(training(net_of(), nap=0.001))
    lines = repr(found).splitlines()
    assert lines[0].endswith("ms each")
    assert " ".join(lines[2].split()) == "time in seconds share per step most of it at"
    assert lines[3].startswith("data ")
    text = found._repr_html_()
    assert "<b>Training</b>" in text
    assert "most of it at</th>" in text
    assert "Dense &#x27;net_dense0&#x27;</td>" in text


def test_nothing_is_left_behind_when_it_fails():
    before = gluon.Trainer.step
    with pytest.raises(ZeroDivisionError):
        profiler.explain(lambda: 1 / 0)
    assert gluon.Trainer.step is before
    assert "step" in vars(gluon.Trainer)


def test_programs_without_steps_are_told():
    assert profiler.explain(lambda: None).advice[0].startswith("No step was seen")


def finding(stages, labels=None, in_python=None):
    lines = dict.fromkeys(stages, "train.py:3")
    return Finding(1.0, 10, stages, lines, labels or {}, in_python or {})


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (finding({"data": 0.8}, {"data": {"DataLoader(num_workers=2)"}}), "80% .*more workers"),
        (finding({"forward": 0.3, "backward": 0.3}), "60% .* forward .train.py:3.* thread"),
        (finding({"forward": 0.5}, in_python={"a": "b"}), "50% .* Some of it is Python's"),
        (finding({"update": 0.4}), "40% .* into updates, at train.py:3. gluon.FusedStep"),
        (finding({"step": 0.4}), r"40% .* FusedStep, at train.py:3.*hybrid_report\(\)"),
        (finding({"metrics": 0.4}), "40% .* into metrics, at train.py:3. Update them every few"),
        (finding({"waiting": 0.4}), "40% .* into waiting for values, at train.py:3"),
        (finding({"rest": 0.4}), "40% .* into the rest: .* python -m cProfile"),
    ],
)
def test_advice_names_what_takes_long(found, text):
    import re

    (one,) = advise(found)
    assert re.match(text, one)


def test_the_most_comes_first_and_little_is_not_told():
    told = advise(finding({"data": 0.3, "update": 0.5, "rest": 0.2}))
    assert [text[:3] for text in told] == ["50%", "30%"]


# --- profiles -------------------------------------------------------------------------------


def test_profiles_name_layers_and_lines(tmp_path):
    path = tmp_path / "profile.json"
    train = training(net_of())
    train()
    profiler.set_config(profile_imperative=True, aggregate_stats=True, filename=str(path))
    profiler.set_state("run")
    train()
    profiler.set_state("stop")
    found = json.loads(profiler.dumps(format="json"))["Time"]
    assert found["layer"]["Dense 'net_dense0'"]["Count"] == 4
    assert found["layer"]["Trainer.step"]["Count"] == 4
    forward = [row for name, row in found["line"].items() if name.endswith(" forward")]
    assert [row["Count"] for row in forward] == [4, 4]
    table = profiler.dumps()
    assert "Dense 'net_dense0'" in table
    rows = table.partition("operator\n")[2].splitlines()
    assert (
        len({len(row) for row in rows if row.startswith("a")}) == 1
    )  # columns, also of long names
    assert "test_explaining.py:" in table
    profiler.dump()
    events = json.loads(path.read_text())["traceEvents"]
    (layer, *_) = [event for event in events if event["name"] == "Dense 'net_dense0'"]
    inside = [
        event
        for event in events
        if event["cat"] == "operator" and event["tid"] == layer["tid"]
        and layer["ts"] <= event["ts"] <= event["ts"] + event["dur"] <= layer["ts"] + layer["dur"]
    ]  # fmt: skip
    assert any(event["name"] in ("aten::addmm", "aten::linear") for event in inside)


def test_layers_are_recorded_only_with_operators():
    profiler.set_config(profile_memory=True, aggregate_stats=True)
    profiler.set_state("run")
    training(net_of())()
    profiler.set_state("stop")
    assert "layer" not in json.loads(profiler.dumps(format="json"))["Time"]
