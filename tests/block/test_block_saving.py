"""Block.save and Block.load, which restore names beside values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import nd
from gluonish.errors import ArchitectureError, FileAccessError
from gluonish.gluon import nn

if TYPE_CHECKING:
    from pathlib import Path

X = nd.array(onp.linspace(-1, 1, 6).reshape(2, 3))


def build(prefix: str, kind: type = nn.HybridSequential) -> nn.HybridSequential:
    net: nn.HybridSequential = kind(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"), nn.Dropout(0.5), nn.Dense(2))
    net.initialize(mx.init.Uniform(0.5))
    return net


@pytest.mark.parametrize("kind", [nn.HybridSequential, nn.Sequential])
@pytest.mark.parametrize("active", [False, True])
@pytest.mark.filterwarnings("ignore:All children of this Sequential")
def test_values_and_names_come_back(kind: type, active: bool, tmp_path: Path) -> None:
    first, second = build("a_", kind), build("b_", kind)
    first.hybridize(active)
    expected = first(X).asnumpy()
    first.save(tmp_path / "net")
    second.load(tmp_path / "net")
    assert_close(second(X).asnumpy(), expected)
    assert (second.name, second[0].name, second[0].act.name) == ("a", "a_dense0", "a_dense0_relu")
    names = ["a_dense0_weight", "a_dense0_bias", "a_dense1_weight", "a_dense1_bias"]
    assert list(second.collect_params()) == names
    assert second[0].weight.name == second[0].weight.var().name == "a_dense0_weight"
    second.collect_params().save(tmp_path / "by_name.params")
    assert list(nd.load(str(tmp_path / "by_name.params"))) == names


def test_the_description_is_laid_out_as_mxnets(tmp_path: Path) -> None:
    net = build("a_")
    net.hybridize()
    net(X)
    net.save(str(tmp_path / "net"))
    found = json.loads((tmp_path / "net-model.json").read_text())
    assert list(found) == ["hybridsequential0"]
    own = found["hybridsequential0"]
    assert own["orig_name"] == "a"
    assert own["hybridized"] is True
    assert (own["in_format"], own["out_format"]) == ([0], 0)
    assert mx.sym.load_json(own["symbol"]).list_inputs()[0] == "data"
    assert own["children"] == {"a_dense0": "0", "a_dropout0": "1", "a_dense1": "2"}
    assert list(own["dense1"]["activation2"]) == ["orig_name", "hybridized", "children"]
    assert "dropout3" in own
    assert "dense4" in own
    assert "0.weight" in nd.load(str(tmp_path / "net-model.params"))


def test_a_block_that_was_hybridized_is_so_again(tmp_path: Path) -> None:
    first, second = build("a_"), build("b_")
    first.hybridize()
    first(X)
    first.save(tmp_path / "net")
    second.load(tmp_path / "net")
    second(X)
    assert second.graph is not None


def test_shared_parameters_are_renamed_once(tmp_path: Path) -> None:
    def tied(prefix: str) -> nn.HybridSequential:
        net = nn.HybridSequential(prefix=prefix)
        with net.name_scope():
            net.add(nn.Dense(3, in_units=3))
            net.add(nn.Dense(3, in_units=3, params=net[0].params))
        net.initialize()
        return net

    first, second = tied("a_"), tied("b_")
    first.save(tmp_path / "net")
    second.load(tmp_path / "net")
    assert list(second.collect_params()) == ["a_dense0_weight", "a_dense0_bias"]
    assert second[0].weight is second[1].weight


def test_blocks_built_in_another_way_are_refused_and_stay(tmp_path: Path) -> None:
    build("a_")(X)
    first = build("a_")
    first(X)
    first.save(tmp_path / "net")
    other = nn.HybridSequential(prefix="o_")
    with other.name_scope():
        other.add(nn.Dense(4), nn.Dropout(0.5), nn.Dense(2))
    with pytest.raises(ArchitectureError, match=r"'dense1' has 1 children, and 'o_dense0' has 0"):
        other.load(tmp_path / "net")
    with pytest.raises(KeyError, match=r"has no 'dense0' for 'd', but \['hybridsequential0'\]"):
        nn.Dense(2, prefix="d_").load(tmp_path / "net")
    assert other.name == "o"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"a": 1, "b": 2}', '{"dense0": {"x": 1}}'])
def test_files_that_describe_nothing_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "net-model.json").write_text(text)
    with pytest.raises(ArchitectureError, match="Expected what save"):
        nn.Dense(2).load(tmp_path / "net")


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match=r"none-model\.json"):
        nn.Dense(2).load(tmp_path / "none")
