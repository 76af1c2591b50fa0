"""The thread that looks at what others do: the end of the program does not wait for it for ever."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

from gluonish.kvstore.workers import agreement, liveness


def test_a_meeting_place_that_does_not_answer_does_not_hold_up_the_end(monkeypatch):
    answers, is_asking, acts = threading.Event(), threading.Event(), []
    store = SimpleNamespace(clone=lambda: store)
    group = SimpleNamespace(store=store, pulse=SimpleNamespace(on_problem=None), rank=0, size=2)
    monkeypatch.setattr(agreement, "before_leaving", lambda act, after_errors: acts.append(act))

    def is_asked(*_):
        is_asking.set()
        answers.wait(30)
        return False

    watch = agreement._Watch(group)
    with watch.over(SimpleNamespace(is_asked=is_asked), 0, None):
        assert is_asking.wait(5)
        begin = time.monotonic()
        for act in acts:
            act()
        assert time.monotonic() - begin < 5
    answers.set()
    watch._thread.join(5)
    assert not watch._thread.is_alive()


def test_a_worker_that_leaves_between_two_looks_is_not_called_dead(monkeypatch):
    is_gone = []
    pulse = SimpleNamespace(_end=threading.Event(), problem=None, _who=[{}, {}])

    def departed(_):
        said = "kv: worker 1 has ended with ValueError" if is_gone else ""
        is_gone.append(True)  # it says so and ends right after this look
        return said

    pulse.departed = departed
    monkeypatch.setattr(liveness, "_is_gone", lambda _: bool(is_gone))
    assert "has ended with ValueError" in str(liveness.Pulse.lost(pulse, 1))


def test_others_who_are_a_step_further_do_not_end_a_wait_that_ends(monkeypatch):
    store = SimpleNamespace(clone=lambda: store)
    group = SimpleNamespace(store=store, pulse=SimpleNamespace(on_problem=None), rank=0, size=2)
    monkeypatch.setattr(agreement, "before_leaving", lambda *_, after_errors: None)
    monkeypatch.setattr(agreement, "break_connections", lambda _: None)
    monkeypatch.setattr(agreement, "_LOOK", 100)  # the test looks itself
    watch = agreement._Watch(group)
    steps = SimpleNamespace(
        is_asked=lambda *_: True,
        answer=lambda *_: None,
        judge=lambda *_: None,
        verdict=lambda *_: "worker 0 calls this, worker 1 that",
    )
    for step in range(3):
        with watch.over(steps, step, lambda: None):
            watch._look(store)
            assert watch.problem is None
    with watch.over(steps, 3, lambda: None):
        watch._look(store)
        watch._look(store)
    assert "worker 0 calls this, worker 1 that" in str(watch.problem)
    watch._end()
