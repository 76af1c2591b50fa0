"""Captured programs give what eager ones give, values and gradients, whatever runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import programs
import pytest
from layer_samples import LAYERS

import gluonish as mx
from gluonish import gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid import graphs

if TYPE_CHECKING:
    from types import ModuleType

STRICT = {"rtol": 1e-5, "atol": 1e-6}
COMPILED = {"rtol": 1e-4, "atol": 1e-5}
HALF = {"rtol": 1e-2, "atol": 1e-2}

PROGRAMS = [
    programs.control_flow_on_shapes_and_attributes, programs.control_flow_on_data,
    programs.nested_inputs_and_outputs, programs.several_outputs,
    programs.results_that_share_memory, programs.writing_in_place,
    programs.writing_to_arguments, programs.writing_to_other_shapes,
    programs.reshaping_arguments_in_another_order,
    programs.writing_to_arguments_of_other_shapes, programs.dense_net,
    programs.dropout_draws_the_stream_of_eager_calls, programs.draws_among_computations,
    programs.running_statistics, programs.embedding_with_integers, programs.recurrent_layers,
    programs.recurrent_cells, programs.attention_with_a_mask, programs.losses,
    programs.shared_parameters, programs.tied_weights,
    programs.gradients_written_added_and_dropped, programs.gradients_of_inputs,
    programs.values_set_after_the_capture, programs.dtypes, programs.contexts,
    programs.last_partial_batch, programs.no_samples, programs.memory_in_another_order,
    programs.child_hybridized_inside, programs.child_alone, programs.hooks,
    programs.switched_off_and_on, programs.children_added_and_replaced,
    programs.errors_in_the_middle, programs.several_threads,
    programs.more_signatures_than_are_kept, programs.recording_and_training_modes,
    programs.training,
]  # fmt: skip
WITH_INDUCTOR = [
    programs.nested_inputs_and_outputs, programs.results_that_share_memory,
    programs.writing_in_place, programs.dropout_draws_the_stream_of_eager_calls,
    programs.running_statistics, programs.shared_parameters,
    programs.gradients_of_inputs, programs.child_hybridized_inside, programs.child_alone,
    programs.hooks, programs.memory_in_another_order, programs.attention_with_a_mask,
]  # fmt: skip


def flat(value):
    """Return structure and numbers of what a program yielded."""
    if isinstance(value, nd.NDArray):
        return (type(value), str(value.context), value.dtype), [value.asnumpy().copy()]
    if isinstance(value, dict):
        value = [*value.items()]
    if isinstance(value, (list, tuple)):
        parts = [flat(part) for part in value]
        return (type(value), [s for s, _ in parts]), [a for _, found in parts for a in found]
    return value, []


def results(program, backend):
    mx.random.seed(1)
    onp.random.seed(1)  # noqa: NPY002 - gluon's samplers draw from NumPy's global generator

    def start(net):
        net.initialize(mx.init.Xavier(), force_reinit=True)
        if backend is not None:
            net.hybridize(backend=backend)
        return net

    return [flat(part) for part in program(start)]


def check(program, backend, **tolerance):
    """Check what a program yields step by step against the same program run eagerly."""
    eager, hybrid = results(program, None), results(program, backend)
    assert len(eager) == len(hybrid)
    for number, ((form, right), (other_form, found)) in enumerate(zip(eager, hybrid, strict=True)):
        assert other_form == form, f"step {number}"
        assert len(found) == len(right)
        for place, (one, other) in enumerate(zip(right, found, strict=True)):
            limits = HALF if one.dtype == onp.float16 else tolerance
            what = f"step {number}, array {place}"
            assert other.dtype == one.dtype
            assert other.shape == one.shape, what
            onp.testing.assert_allclose(other, one, err_msg=what, **limits)


def layer_program(build, *shapes):
    def program(start):
        net = start(build())
        for seed in (1, 2):
            yield programs.step(net, *(programs.data(*shape, seed=seed) for shape in shapes))
        assert net._graphs is None or net.graph is not None

    return program


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("backend", ["fx", "aot_eager"])
def test_program_is_captured_correctly(program, backend, monkeypatch):
    monkeypatch.setattr(graphs, "MAX_SIGNATURES", 3 if "kept" in program.__name__ else 64)
    check(program, backend, **STRICT)


@pytest.mark.parametrize("backend", ["fx", "aot_eager"])
@pytest.mark.parametrize("name", LAYERS)
def test_layer_is_captured_correctly(name, backend):
    check(layer_program(*LAYERS[name]), backend, **STRICT)


def test_gradients_of_gradients_are_captured_correctly():
    check(programs.higher_gradients, "fx", **STRICT)


@pytest.mark.compiler
@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("program", WITH_INDUCTOR, ids=lambda program: program.__name__)
def test_program_is_compiled_correctly(program):
    check(program, "inductor", **COMPILED)


def test_every_layer_is_among_the_samples():
    built = {type(build()).__name__ for build, *_ in LAYERS.values()}
    others = {
        "Block", "HybridBlock", "Sequential", "HybridSequential", "Embedding", "SymbolBlock",
    }  # fmt: skip
    assert built | others == set(nn.__all__)


@pytest.mark.parametrize("number", [onp.float64(0.5), onp.float32(0.5), onp.int64(1)])
def test_numpys_numbers_are_arguments_of_a_replay(number: onp.generic) -> None:
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F: ModuleType, x: nd.NDArray) -> nd.NDArray:
            return F.clip(x, 0, number) + F.contrib.bipartite_matching(x, threshold=number)[1]

    net = Net()
    net.hybridize()
    x = nd.array([[0.2, 0.9], [0.6, 3]])
    assert (net(x) == net(x)).asnumpy().all()
    onp.testing.assert_allclose(net(x).asnumpy(), net.hybrid_forward(nd, x).asnumpy(), **STRICT)
