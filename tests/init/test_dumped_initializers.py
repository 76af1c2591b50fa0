"""Initializers from text, which may come from a file: refused or made, and never run."""

from __future__ import annotations

import re

import pytest

import gluonish as mx
from gluonish.errors import RefusedArgumentError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('["zero"]', "it is no name with arguments. Expected what dumps() returned"),
        ("[", "it is no JSON: Expecting value"),
        ('{"a": 1}', "it is no name with arguments"),
        ('{"initializer": 5}', "it is no name with arguments"),
        ("[[1], {}]", "it is no name with arguments"),
        ('["uniform", [1]]', "it is no name with arguments"),
        (
            '["uniform", {"bad": 1}]',
            "uniform does not take its arguments: Uniform: got an unexp",
        ),
        (
            '["xavier", {"magnitude": "x"}]',
            "xavier does not take its arguments: Xavier: magnitude='x'",
        ),
        ('["fusedrnn", {}]', "fusedrnn does not take its arguments: FusedRNN: called without"),
        ('["load", {"param": "x"}]', "load is not registered. Expected one of"),
        ("[" * 100_000, f"{'[' * 80}...' was given; it is no JSON: its brackets are nested"),
    ],
)
def test_text_that_describes_no_initializer_is_refused(text: str, said: str) -> None:
    with pytest.raises(RefusedArgumentError, match=re.escape(said)):
        mx.init.create(text)


def test_text_of_either_form_makes_an_initializer() -> None:
    assert mx.init.create('["normal", {"sigma": 0.5}]').sigma == 0.5
    assert mx.init.create('{"initializer": "normal", "sigma": 0.5}').sigma == 0.5


def test_wrong_arguments_of_a_name_are_told_with_those_there_are() -> None:
    with pytest.raises(TypeError, match=r"keyword argument, bad=1. Expected some of scale"):
        mx.init.create("uniform", bad=1)
