"""The one reader of JSON: what it takes, and what it refuses."""

from __future__ import annotations

import pytest

from gluonish.serialization import json_text


def test_text_and_bytes_are_read_alike() -> None:
    assert json_text.parse('{"é": [1, 2.5, null, true]}') == {"é": [1, 2.5, None, True]}
    assert json_text.parse('{"é": 1}'.encode()) == {"é": 1}
    assert json_text.parse(b"\xef\xbb\xbf[]") == []
    assert json_text.parse('"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands there twice"),
        ("NaN", "NaN is no number of JSON"),
        ("[-Infinity]", "-Infinity is no number of JSON"),
        ('["\\ud800"]', "surrogates not allowed"),
        ('{"\\udc00\\ud800": 1}', "surrogates not allowed"),
        ('"\ud800"', "surrogates not allowed"),
        (b"\xff", "can't decode byte 0xff"),
        ("[" * 100_000, "its brackets are nested too deeply"),
        ("9" * 10_000, "Exceeds the limit"),
        ('"a" "b"', "Extra data"),
        ("", "Expecting value"),
    ],
)
def test_what_is_no_json_or_means_nothing_is_refused(text: str | bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        json_text.parse(text)


def test_infinities_are_read_where_they_are_allowed() -> None:
    assert json_text.parse("[Infinity]", are_constants_allowed=True) == [float("inf")]
