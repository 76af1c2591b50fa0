"""Initializers from text, which may come from a file: refused or made, and never run."""

from __future__ import annotations

import re

import pytest

import gluonish as mx
from gluonish.errors import MXNetError, RefusedArgumentError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('["zero"]', "it is no name with arguments. Expected what dumps() returned"),
        ("[", "it is no JSON: Expecting value"),
        ('{"a": 1}', "it is no name with arguments"),
        ('{"initializer": 5}', "it is no name with arguments"),
        ("[[1], {}]", "it is no name with arguments"),
        ('["uniform", [1]]', "it is no name with arguments"),
        ('["uniform", {"bad": 1}]', "uniform does not take its arguments: Uniform.__init__() got"),
        ('["xavier", {"magnitude": "x"}]', "xavier does not take its arguments: could not conv"),
        ('["fusedrnn", {}]', "fusedrnn does not take its arguments: FusedRNN.__init__() missing 4"),
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


def test_wrong_arguments_of_a_name_are_python_s_own_error() -> None:
    with pytest.raises(TypeError) as caught:
        mx.init.create("uniform", bad=1)
    assert not isinstance(caught.value, MXNetError)
