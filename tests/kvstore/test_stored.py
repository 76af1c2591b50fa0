"""What stores have by key, and in which order."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.errors import InvalidArgumentError, MissingNameError, ShapeError
from gluonish.kvstore.stored import Stored


@pytest.fixture
def stored():
    found = Stored()
    for key in ("b", "a"):
        found.put(key, mx.nd.zeros((2,)))
    return found


def test_text_comes_in_the_order_in_which_it_was_stored(stored):
    assert stored.in_order(["new", "a", "b"]) == ["b", "a", "new"]
    numbers = Stored()
    for key in (7, 3):
        numbers.put(key, mx.nd.zeros((2,)))
    assert numbers.in_order([7, 3]) == [3, 7]


def test_arrays_of_one_key_come_together_in_order(stored):
    arrays = [mx.nd.ones((2,)) for _ in range(3)]
    found = stored.grouped(["a", "b", "a"], arrays, "test")
    assert [key for key, _ in found] == ["b", "a"]
    assert [len(group) for _, group in found] == [1, 2]


@pytest.mark.parametrize(
    ("key", "shape", "error", "words"),
    [
        ("c", (2,), MissingNameError, "test: key 'c' has not been inited"),
        ("a", (3,), ShapeError, r"test: an array of shape \(3,\) was given for key 'a'"),
        (5, (2,), InvalidArgumentError, "test: Mixed key types are not allowed: 5 was given"),
    ],
)
def test_what_does_not_fit_is_told(stored, key, shape, error, words):
    with pytest.raises(error, match=words):
        stored.found(key, mx.nd.ones(shape), "test")


def test_keys_are_new_once(stored):
    with pytest.raises(InvalidArgumentError, match="test: duplicate init of key 'a'"):
        stored.new("a", mx.nd.ones((2,)), "test")
