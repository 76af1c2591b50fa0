"""Files of states in gluonish's own form, damaged or forged: refused with one clear error."""

from __future__ import annotations

import json

import pytest
import torch

from gluonish.errors import FileFormatError
from gluonish.optimizer.saving import unpack
from gluonish.serialization import safetensors_format

GOOD = {"version": 1, "states": [[0, "0"]], "names": [[0, "w"]], "optimizer": None}


def content(description: object = None, **changes: object) -> bytes:
    text = description if isinstance(description, str) else json.dumps(GOOD | changes)
    return safetensors_format.to_bytes({"0": torch.ones(2)}, {"gluonish.states": text})


def nested(depth: int) -> object:
    tree: object = "0"
    for _ in range(depth):
        tree = ["tuple", tree]
    return tree


def test_good_description_is_read() -> None:
    found = unpack(content(None, states=[[0, nested(3)], ["w", None]]), "s")
    assert found.states["w"] is None
    assert found.states[0][0][0][0].tolist() == [1, 1]
    assert found.names == {0: "w"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (content("{"), r"its description is damaged \(Expecting"),
        (content("[" * 100_000), r"its description is damaged \(its brackets are nested"),
        (content("[1]"), "it has no version"),
        (content(None, version="1"), "it has no version"),
        (content(None, version=2), "it has version 2 of the format, this program reads 1"),
        (content(None, states=None), "it has no list of states"),
        (content(None, states={}), "it has no list of states"),
        (content(None, states=[[0]]), "one of its states has no index"),
        (content(None, states=[[[0], "0"]]), "one of its states has no index"),
        (content(None, states=[[0, "0"], [0, "0"]]), "an index has two states"),
        (content(None, states=[[0, "1"]]), "a state is none of arrays that are there"),
        (content(None, states=[[0, ["set", "0"]]]), "a state is none of arrays that are there"),
        (content(None, states=[[0, []]]), "a state is none of arrays that are there"),
        (content(None, states=[[0, nested(200)]]), "a state is none of arrays that are there"),
        (content(None, names=[["a", 1]]), "a name is no text"),
        (content(None, optimizer=1), "the settings of the optimizer lack"),
        (content(None, optimizer={"constants": {}}), "the settings of the optimizer lack"),
        (content()[:-1], "or is damaged; safetensors header, byte [0-9]+: 7 bytes of data"),
        (b"nonsense", "is not that of a file of states, or is damaged; safetensors header, byte"),
    ],
)
def test_damaged_file_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(FileFormatError, match=rf"^Loading states from 's': .*{said}"):
        unpack(data, "s")
