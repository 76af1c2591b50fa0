"""gluon.contrib: layers and samplers, compared with the real MXNet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from closeness import assert_close
from contrib_programs import PROGRAMS, data

import gluonish as mx
from gluonish.errors import RefusedArgumentError
from gluonish.gluon import contrib

GOLDEN = Path(__file__).parents[1] / "golden" / "gluon_contrib.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


def assert_same(found, expected, where):
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), where
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}.{key}")
    elif where.endswith((".y", ".grad", ".mean")):
        onp.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=where)
    else:
        assert found == expected, where


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_layers_do_what_they_do_in_mxnet(name):
    with mx.name.NameManager():
        found = PROGRAMS[name](mx)
    assert_same(found, EXPECTED[name], name)


@pytest.mark.parametrize("cls", [contrib.nn.PixelShuffle2D, contrib.nn.PixelShuffle3D])
def test_pixel_shuffles_print_their_factors(cls):
    count = int(cls.__name__[-2])
    assert repr(cls(2)) == f"{cls.__name__}({(2,) * count})"
    with pytest.raises(RefusedArgumentError, match="list of"):
        cls((1, 2, 3, 4))


def test_pixel_shuffle_of_one_axis_prints_its_factor():
    assert repr(contrib.nn.PixelShuffle1D(3)) == "PixelShuffle1D(3)"


@pytest.mark.parametrize("F", [mx.nd, mx.np])
def test_branches_are_joined_hybridized_or_not(F):
    net = contrib.nn.HybridConcurrent(axis=1)
    net.add(mx.gluon.nn.Dense(2), contrib.nn.Identity())
    net.initialize()
    x = F.ones((2, 3))
    plain = net(x).asnumpy()
    net.hybridize()
    for _ in range(3):
        result = net(x)
        assert_close(result.asnumpy(), plain)
    assert type(result) is type(x)


def test_sparse_embedding_learns_the_rows_that_were_used():
    net = contrib.nn.SparseEmbedding(5, 3)
    net.initialize(mx.init.One())
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    with mx.autograd.record():
        loss = net(mx.nd.array([1, 3, 1])).sum()
    loss.backward()
    trainer.step(1)
    assert net.weight.data().asnumpy()[:, 0].tolist() == [1, -1, 1, 0, 1]
    assert repr(net) == "SparseEmbedding(5 -> 3, float32)"


def test_deformable_convolutions_are_the_same_when_hybridized():
    net = contrib.cnn.ModulatedDeformableConvolution(4, kernel_size=3, padding=1)
    net.initialize()
    x = data(mx, 2, 3, 5, 5)
    plain = net(x).asnumpy()
    net.hybridize()
    for _ in range(3):
        onp.testing.assert_allclose(net(x).asnumpy(), plain, rtol=1e-5, atol=1e-6)


def test_deformable_convolutions_refuse_what_does_not_fit():
    with pytest.raises(RefusedArgumentError, match="layout"):
        contrib.cnn.DeformableConvolution(4, layout="NHWC")
    with pytest.raises(RefusedArgumentError, match="divisor of both"):
        contrib.cnn.DeformableConvolution(4, groups=3)
    with pytest.raises(RefusedArgumentError, match="kernel_size"):
        contrib.cnn.DeformableConvolution(4, kernel_size=(1, 2, 3))


@pytest.mark.parametrize("interval", [0, 4])
def test_interval_sampler_refuses_intervals_that_do_not_fit(interval):
    with pytest.raises(RefusedArgumentError, match="smaller than or equal to length 3"):
        contrib.data.IntervalSampler(3, interval)
