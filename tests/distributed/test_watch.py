"""The thread that looks at what others do: the end of the program does not wait for it for ever."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

from gluonish.kvstore import agreement


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
