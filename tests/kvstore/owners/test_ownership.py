"""Who owns what: even shares of large keys, whole rows where rows are pushed."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.errors import InvalidArgumentError
from gluonish.kvstore.owners.ownership import Ownership
from gluonish.kvstore.stored import Stored


def make(sizes, monkeypatch, *, bound="6", cuts_rows=True):
    """Return the ownership of two workers, and a list of its changes."""
    monkeypatch.setenv("MXNET_KVSTORE_BIGARRAY_BOUND", bound)
    stored, changes = Stored(), []
    found = Ownership(stored, 0, 2, lambda: changes.append(1), cuts_rows=cuts_rows)
    for key, shape in sizes.items():
        stored.put(key, mx.nd.zeros(shape))
        found.add(key)
    return found, changes


def ranges(ownership, key):
    return [(part.owner, part.start, part.stop) for part in ownership.parts(key)]


def test_large_keys_are_split_and_small_ones_go_to_who_has_least(monkeypatch):
    ownership, changes = make({"a": (3, 3), "b": (4,), "c": (2,), "none": (0, 3)}, monkeypatch)
    assert ranges(ownership, "a") == [(0, 0, 5), (1, 5, 9)]
    assert ranges(ownership, "b") == [(1, 0, 4)]
    assert ranges(ownership, "c") == [(0, 0, 2)]
    assert ranges(ownership, "none") == []
    assert ownership.part_of("b", 0) is None
    assert ownership.part_of("b", 1).stop == 4
    assert not changes


def test_rows_stay_whole_where_rows_are_pushed(monkeypatch):
    ownership, changes = make({"a": (3, 3)}, monkeypatch)
    ownership.cut_by_rows(["a"])
    assert ranges(ownership, "a") == [(0, 0, 6), (1, 6, 9)]
    assert ownership.by_rows == {"a"}
    assert changes == [1]
    always, _ = make({"a": (3, 3), "b": (9,)}, monkeypatch, cuts_rows=False)
    assert ranges(always, "a") == [(0, 0, 6), (1, 6, 9)]
    assert ranges(always, "b") == [(0, 0, 5), (1, 5, 9)]


def test_keys_have_one_owner_each_where_updates_need_all_elements(monkeypatch):
    ownership, changes = make({"a": (3, 3), "b": (4,)}, monkeypatch)
    ownership.share_out(is_splitting=False)
    assert ranges(ownership, "a") == [(0, 0, 9)]
    assert ranges(ownership, "b") == [(1, 0, 4)]
    assert changes == [1]


def test_a_bound_that_is_no_number_is_refused(monkeypatch):
    with pytest.raises(InvalidArgumentError, match="MXNET_KVSTORE_BIGARRAY_BOUND='many'"):
        make({}, monkeypatch, bound="many")
