"""Calls drawn at random beside the real MXNet's answers, and what the fuzzer knows of them."""

from __future__ import annotations

import warnings
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

from fuzz.differential import keeping, runners
from fuzz.differential.comparing import coarseness, differences
from fuzz.differential.drawing import FRONTS, case_of
from fuzz.differential.known import KNOWN, argued
from fuzz.differential.values import array_of
from gluonish import npx

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = keeping.read()
GROUPS: dict[str, list[dict[str, Any]]] = defaultdict(list)
for _row in ROWS:
    GROUPS[f"{_row['case']['front']} {_row['case']['name'].lstrip('_')[0].lower()}"].append(_row)


@pytest.fixture(autouse=True)
def library() -> Iterator[None]:
    runners.start("gluonish")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    npx.reset_np()


def answered(case: dict[str, Any]) -> dict[str, Any]:
    try:
        return runners.answer(case)
    except Exception as error:  # noqa: BLE001 - whatever is refused is an answer
        return {"error": type(error).__name__, "says": str(error)}


def test_2000_cases_are_kept() -> None:
    assert len(ROWS) == 2000
    assert sum("error" not in row["answer"] for row in ROWS) > 1700


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_calls_drawn_at_random_are_answered_as_by_mxnet(group: str) -> None:
    wrong = []
    for row in GROUPS[group]:
        case, ours = row["case"], answered(row["case"])
        wrong += [
            f"{case}\n    {found.kind}: {found.details}"
            for found in differences(ours, {"says": "", **row["answer"]}, coarseness(case))
            if found.kind != "more" and not argued(case, found, ours, row["answer"])
        ]
    assert not wrong, "\n".join(wrong)


def test_a_wrong_number_is_told() -> None:
    row = next(
        row
        for row in ROWS
        if row["case"]["name"] == "clip" and row["answer"].get("result", [""])[0] == "array"
    )
    answer = answered(row["case"])
    kind, storage, dtype, shape, content = answer["result"]
    values = onp.frombuffer(content, dtype) + onp.ones((), dtype)
    other = {**answer, "result": (kind, storage, dtype, shape, values.tobytes())}
    assert [found.kind for found in differences(other, answer)] == ["values"]


@pytest.mark.parametrize("front", sorted(set(FRONTS)))
def test_cases_depend_on_seed_and_number_alone(front: str) -> None:
    assert case_of(3, 5, (front,)) == case_of(3, 5, (front,))
    assert case_of(3, 5, (front,)) != case_of(4, 5, (front,))


def test_arrays_are_drawn_from_their_seeds() -> None:
    spec = {"shape": [2, 2], "dtype": "float32", "values": ["ints", 0, 3], "seed": 1}
    assert array_of(spec).tolist() == [[1.0, 3.0], [0.0, 0.0]]


@pytest.mark.parametrize("heading", sorted({known.heading for known in KNOWN}))
def test_known_differences_are_argued_in_the_documents(heading: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "differences.md"
    assert heading in page.read_text(encoding="utf-8")


def test_each_part_of_a_result_that_differs_is_told() -> None:
    def answer(*values: float) -> dict[str, Any]:
        parts = [("scalar", "float", value) for value in values]
        return {"result": ("parts", "list", parts), "changed": []}

    told = [found.details[:2] for found in differences(answer(1, 2, 3), answer(1, 5, 7))]
    assert told == ["1:", "2:"]


def test_float16_is_excused_only_where_float64_bears_it_out() -> None:
    spec = {"shape": [3], "dtype": "float16", "values": ["ints", 0, 4], "seed": 1271531213}
    case = {
        "kind": "call", "front": "npx", "name": "softmax", "args": [{"array": spec}], "kwargs": {},
        "seed": 1, "train": True, "mode": "eager", "gradient": False, "out": False,
    }  # fmt: skip
    right = answered(case)
    kind, storage, dtype, shape, content = right["result"]
    values = onp.frombuffer(content, dtype) + onp.asarray(0.05, dtype)
    wrong = {**right, "result": (kind, storage, dtype, shape, values.tobytes())}
    for ours, theirs, heading in ((right, wrong, "Sums in `float16`"), (wrong, right, None)):
        (found,) = differences(ours, theirs, coarseness(case))
        rule = argued(case, found, ours, theirs)
        assert (rule and rule.heading) == heading
