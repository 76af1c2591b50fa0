"""What is fuzzed: every format that gluonish reads by itself."""

from __future__ import annotations

from random import Random

import pytest

from fuzz.families import FAMILIES, family_of
from gluonish.serialization.formats import ArrayFormat
from gluonish.serialization.kinds import Kind


def test_every_format_that_load_takes_is_fuzzed() -> None:
    fuzzed = {family.kind for family in FAMILIES.values()}
    for kind in Kind:
        if isinstance(kind.format, ArrayFormat) and kind.format.spelled:
            assert kind in fuzzed


@pytest.mark.parametrize("kind", [Kind.SAFETENSORS, Kind.PARAMS])
def test_a_format_is_fuzzed_before_the_fuzzer_knows_it(kind: Kind) -> None:
    assert isinstance(kind.format, ArrayFormat)
    family = family_of(kind, kind.format)
    random = Random(0)
    one, other, *_ = family.seeds.all
    changed = [family.change(random, one, other)[0] for _ in range(20)]
    assert len({one.data, *changed}) > 10
