"""Schedules tell the log where the learning rate changes, in MXNet's words."""

from __future__ import annotations

import logging

import gluonish as mx


def lines(caplog, schedule, last):
    with caplog.at_level(logging.INFO):
        for update in range(1, last):
            schedule(update)
    return [record.getMessage() for record in caplog.records]


def test_factor_scheduler_tells_of_changes_and_of_the_end(caplog):
    schedule = mx.lr_scheduler.FactorScheduler(2, factor=0.5, stop_factor_lr=0.4, base_lr=1)
    assert lines(caplog, schedule, 8) == [
        "Update[3]: Change learning rate to 5.00000e-01",
        "Update[5]: now learning rate arrived at 4.00000e-01, will not change in the future",
        "Update[7]: now learning rate arrived at 4.00000e-01, will not change in the future",
    ]


def test_multi_factor_scheduler_tells_of_changes(caplog):
    schedule = mx.lr_scheduler.MultiFactorScheduler([2, 5], factor=0.5, base_lr=1)
    assert lines(caplog, schedule, 9) == [
        "Update[3]: Change learning rate to 5.00000e-01",
        "Update[6]: Change learning rate to 2.50000e-01",
    ]
