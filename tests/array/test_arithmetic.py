"""Arithmetic of both array classes, as the real MXNet 1.9.1 does it (golden/arithmetic.json)."""

from __future__ import annotations

import re

import facts
import numpy as onp
import pytest
import torch

GROUPS = facts.load("arithmetic")
MIXED = [group for group in GROUPS if group.endswith("of two dtypes")]


@pytest.mark.parametrize("group", [group for group in GROUPS if group not in MIXED])
def test_arithmetic_is_mxnets(group: str) -> None:
    facts.check("arithmetic", group)


@pytest.mark.parametrize("group", MIXED)
def test_arrays_of_two_dtypes_are_promoted_where_mxnet_refuses_them(group: str) -> None:
    for fact in GROUPS[group]:
        found = facts.run_cell(fact["code"], facts.namespace(numpy_mode=fact["np"]))
        if "error" not in fact["gives"]:
            assert not facts.differences(found, fact["gives"]), fact["code"]
            continue
        value = found["value"]
        front, left, sign, right = re.match(
            r"(\w+)\.array.*dtype='(\w+)'\) (\S+) .*dtype='(\w+)'\)", fact["code"]
        ).groups()
        if right == "bool" and sign == "/":
            continue  # False divides
        assert value["dtype"] == _promoted(front, left, sign, right), fact["code"]
        assert not facts.differences(value["values"], _values(value, left, sign, right))
        if "gives_in_1.6" in fact:  # where the values are not even computed
            assert value["dtype"] == fact["gives_in_1.6"]["value"]["dtype"]


def _promoted(front: str, left: str, sign: str, right: str) -> str:
    if sign in {"==", "<"}:
        return "bool" if front == "np" else left
    wide = torch.promote_types(getattr(torch, left), getattr(torch, right))
    if sign == "/" and front == "np" and not wide.is_floating_point:
        return "float32"
    return str(wide).removeprefix("torch.")


def _values(value: dict[str, object], left: str, sign: str, right: str) -> object:
    both = [onp.array([1, 0] if dtype == "bool" else [1, 2]) for dtype in (left, right)]
    with onp.errstate(all="ignore"):
        if sign == "%" and right == "bool":
            return value["values"]
        result = eval(f"a {sign} b", dict(zip("ab", both, strict=True)))
    return result.astype(value["dtype"]).tolist()
