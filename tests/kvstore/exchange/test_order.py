"""The order of messages: named once, then followed by all."""

from __future__ import annotations

import pytest
import torch

from gluonish.kvstore.exchange.order import Message, Order


class Steps:
    """Steps that count."""

    def __init__(self):
        self.count = 0

    def take(self):
        self.count += 1
        return self.count - 1


@pytest.fixture
def messages():
    return [Message(False, torch.float32, (key,)) for key in ("a", "b")]


def test_a_message_is_followed_by_the_one_that_followed_it_before(messages):
    order, (first, second) = Order(Steps()), messages
    assert order.upcoming is None
    assert [order.take(one) for one in (first, second, first)] == [0, 1, 2]
    assert order.upcoming == second
    order.take(first)  # another one this time
    assert order.upcoming == first


def test_nothing_is_known_to_follow_after_all_was_forgotten(messages):
    order = Order(Steps())
    for one in messages * 2:
        order.take(one)
    assert order.upcoming == messages[0]
    order.forget()
    assert order.upcoming is None


def test_messages_fit_memory_of_their_dtype_and_device(messages):
    message = messages[0]
    assert message.fits(torch.zeros(3))
    assert not message.fits(torch.zeros(3, dtype=torch.float64))
    assert not message.fits(torch.zeros(2, 3).t())
    assert not message._replace(device=torch.device("meta")).fits(torch.zeros(3))
