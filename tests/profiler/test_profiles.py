"""Profiles hold what ran while they ran, as a trace and as statistics."""

from __future__ import annotations

import json

import pytest

import gluonish as mx
from gluonish import profiler
from gluonish.errors import MXNetError
from gluonish.profiler.recording import recording


@pytest.fixture(autouse=True)
def fresh(tmp_path):
    yield
    profiler.set_state("stop")
    recording.clear()
    profiler.set_config()


def profile(**config):
    profiler.set_config(aggregate_stats=True, **config)
    profiler.set_state("run")


def statistics():
    return json.loads(profiler.dumps(format="json"))


def test_operators_that_ran_are_counted():
    profile(profile_all=True)
    x = mx.nd.ones((30, 30))
    (x * 2 * 3).wait_to_read()
    profiler.pause()
    mx.nd.sin(x)
    profiler.resume()
    mx.nd.cos(x)
    profiler.set_state("stop")
    mx.nd.tanh(x)
    found = statistics()["Time"]["operator"]
    assert found["aten::mul"]["Count"] == 2
    assert found["aten::mul"]["Total"] > 0
    assert "aten::cos" in found
    assert "aten::sin" not in found
    assert "aten::tanh" not in found


def test_memory_is_recorded_where_asked_for():
    profile(profile_memory=True)
    x = mx.nd.ones((1024, 256))
    profiler.set_state("stop")
    found = statistics()
    assert x.shape == (1024, 256)
    assert "operator" not in found["Time"]
    assert found["Memory"]["Device Storage"]["Memory: cpu/0"]["Max"] >= 1024


def test_nothing_but_scopes_is_recorded_by_default():
    profile()
    with profiler.Domain("training").new_task("epoch"):
        mx.nd.ones(3).wait_to_read()
    profiler.set_state("stop")
    assert list(statistics()["Time"]) == ["training"]


def test_the_trace_holds_scopes_counters_and_marks(tmp_path):
    path = tmp_path / "profile.json"
    profile(filename=str(path), profile_imperative=True)
    domain = profiler.Domain("training")
    task, frame = domain.new_task("epoch"), domain.new_frame("batch")
    event = profiler.Event("reading")
    counter = domain.new_counter("batches", 3)
    task.start()
    with frame, event:
        counter += 2
        counter -= 1
    task.stop()
    task.stop()
    domain.new_marker("best").mark("global")
    assert [str(each) for each in (domain, task, counter, profiler.Marker(domain, "m"))] == [
        "training", "epoch", "batches", "m",
    ]  # fmt: skip
    profiler.dump(finished=False)
    assert recording.is_running
    profiler.dump()
    assert not recording.is_running
    events = json.loads(path.read_text())["traceEvents"]
    found = {each["name"]: each for each in events}
    assert found["epoch"]["ph"] == "X"
    assert found["epoch"]["cat"] == found["batch"]["cat"] == "training"
    assert found["epoch"]["dur"] >= found["batch"]["dur"]
    assert found["best"]["s"] == "g"
    assert found["reading"]["cat"] == "event"
    values = [each["args"]["batches"] for each in events if each["name"] == "batches"]
    assert values == [3, 5, 4]


def test_continuous_dump_writes_when_the_profile_pauses(tmp_path):
    path = tmp_path / "profile.json"
    profile(filename=str(path), continuous_dump=True)
    profiler.pause()
    assert path.exists()


def test_tables_are_sorted_as_asked():
    profile(profile_all=True)
    for _ in range(3):
        mx.nd.ones(3) + 1
    mx.nd.ones(3) * 2
    profiler.set_state("stop")
    table = profiler.dumps(sort_by="count", ascending=True)
    assert table.index("aten::mul") < table.index("aten::add")
    table = profiler.dumps(sort_by="count", reset=True)
    assert table.index("aten::mul") > table.index("aten::add")
    assert "Total Count        Time (ms)" in table
    assert "aten" not in profiler.dumps()


def test_old_names_still_work(tmp_path):
    path = tmp_path / "old.json"
    with pytest.warns(FutureWarning, match=r"Use profiler.set_config"):
        profiler.profiler_set_config(mode="all", filename=str(path))
    with pytest.warns(FutureWarning, match=r"Use profiler.set_state"):
        profiler.profiler_set_state("run")
    mx.nd.ones(3) * 2
    with pytest.warns(FutureWarning, match=r"Use profiler.dump\."):
        profiler.dump_profile()
    assert "aten::mul" in path.read_text()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: profiler.set_config(foo=1), TypeError, "'foo' given. Expected some of filename"),
        (lambda: profiler.set_config(dump_period=0), ValueError, "Expected seconds, more than 0"),
        (
            lambda: profiler.set_config(gpu_memory_profile_filename_prefix="x"),
            ValueError,
            "give profile_memory=True",
        ),
        (lambda: profiler.set_state("fly"), KeyError, "Expected 'run' or 'stop'"),
        (lambda: profiler.pause("server"), ValueError, "there are no server processes"),
        (lambda: profiler.dumps(format="x"), AssertionError, "Expected one of 'table', 'json'"),
        (lambda: profiler.dumps(sort_by="x"), AssertionError, "Expected one of 'total'"),
        (lambda: profiler.dumps(), ValueError, "statistics were not asked for"),
        (
            lambda: profiler.Marker(profiler.Domain("d"), "m").mark("far"),
            ValueError,
            "scope='far'. Expected one of 'global'",
        ),
    ],
)
def test_mistakes_are_explained(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert isinstance(caught.value, MXNetError)
