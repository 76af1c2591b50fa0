"""Sparse arrays in recorded graphs, in-place operations on them, and storage types of results."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, nd
from gluonish.errors import AutogradError, DTypeError, InvalidArgumentError

DENSE = onp.array([[0, 2, 0], [0, 0, 0], [3, 0, 1]], "float32")


def make(stype):
    return nd.array(DENSE).tostype(stype)


both = pytest.mark.parametrize("stype", ["csr", "row_sparse"])


def gradient(array, function):
    array.attach_grad()
    with autograd.record():
        result = function(array)
    result.backward()
    return array.grad.asnumpy().tolist()


@both
def test_operations_in_place_keep_the_storage_type(stype):
    array = same = make(stype)
    array += make(stype)
    array *= 2
    array -= 1
    array /= 2
    assert array is same
    assert array.stype == stype
    assert array.asnumpy().tolist() == ((DENSE * 4 - 1) / 2).tolist()
    array *= nd.ones((3, 3))
    array **= 2
    assert array.asnumpy().tolist() == (((DENSE * 4 - 1) / 2) ** 2).tolist()
    dense = nd.ones((3, 3))
    dense += make(stype)
    assert dense.stype == "default"
    assert dense.asnumpy().tolist() == (DENSE + 1).tolist()


@both
def test_in_place_results_must_fit(stype):
    array = make(stype).astype("int32")
    with pytest.raises(DTypeError, match="Expected a result that x can hold"):
        array += make(stype)
    array = make(stype)
    with pytest.raises(ValueError, match=r"shape \(2, 3, 3\) was given"):
        array += nd.ones((2, 3, 3))


@both
def test_adding_zero_keeps_what_is_stored(stype):
    array = make(stype)
    for result in (array + 0, 0 + array, array - 0.0, array.round()):
        assert result.stype == stype
        assert result.asnumpy().tolist() == DENSE.tolist()
    assert (0 - array).asnumpy().tolist() == (-DENSE).tolist()


@both
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.copy(),
        lambda x: x.astype("float64"),
        lambda x: x.copyto(mx.cpu(1)).as_in_context(mx.cpu(0)),
        lambda x: x.tostype(x.stype),
        lambda x: x.tostype("default").tostype(x.stype),
        lambda x: nd.cast_storage(x, x.stype),
    ],
)
def test_gradients_flow_through_copies(stype, function):
    assert gradient(make(stype), lambda x: function(x) * 3) == [[3] * 3] * 3
    assert gradient(nd.array(DENSE), lambda x: function(x.tostype(stype)) * 3) == [[3] * 3] * 3


@both
def test_a_conversion_is_one_of_several_ways_of_a_gradient(stype):
    found = gradient(nd.array(DENSE), lambda x: nd.square(x.tostype(stype)) + x)
    assert found == (2 * DENSE + 1).tolist()


@both
def test_what_is_detached_or_not_recorded_has_no_gradient(stype):
    assert gradient(make(stype), lambda x: x.detach() * 3 + x) == [[1] * 3] * 3
    array = nd.array(DENSE)
    array.attach_grad()
    outside = array.tostype(stype)
    with autograd.record():
        result = outside * 3 + array
    result.backward()
    assert array.grad.asnumpy().tolist() == [[1] * 3] * 3


@both
def test_assigned_arrays_stand_for_what_was_assigned(stype):
    def assigned(x):
        target = make(stype)
        target[:] = x * 2
        return target * 3

    def written(x):
        target = make(stype)
        nd.elemwise_add(x, x, out=target)
        copy = make(stype)
        copy[:] = target
        return copy * 3

    assert gradient(nd.array(DENSE), assigned) == [[6] * 3] * 3
    assert gradient(nd.array(DENSE), written) == [[6] * 3] * 3


@both
def test_arrays_in_a_graph_are_not_written_to(stype):
    array = make(stype)
    array.attach_grad()
    with autograd.record():
        with pytest.raises(AutogradError, match=r"array \+= array: the array takes part in a grad"):
            array += array
        with pytest.raises(AutogradError, match="the array takes part in a gradient"):
            array[:] = 3
    array += array
    assert array.asnumpy().tolist() == (DENSE * 2).tolist()


def test_changed_values_leave_the_graph():
    array = nd.array(DENSE)
    array.attach_grad()
    with autograd.record():
        rows = array.tostype("row_sparse")
        rows.data[:] = 7
        result = rows * 2 + array
    result.backward()
    assert result.asnumpy()[0].tolist() == [14, 16, 14]
    assert array.grad.asnumpy().tolist() == [[1] * 3] * 3


def test_gradients_of_rows_that_were_chosen():
    assert gradient(make("csr"), lambda x: x[2] * 2) == [[0] * 3, [0] * 3, [2] * 3]
    chosen = [[2] * 3, [0] * 3, [0] * 3]
    assert gradient(make("row_sparse"), lambda x: x.retain(nd.array([0])) * 2) == chosen
    keep = nd.array([0])
    assert gradient(make("row_sparse"), lambda x: nd.sparse.retain(x, keep) * 2) == chosen


@pytest.mark.parametrize("is_first", [True, False])
def test_products_are_differentiated_by_the_sparse_factor(is_first):
    other = nd.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])

    def product(x):
        return nd.dot(x, other) if is_first else nd.dot(other, x)

    assert gradient(make("csr"), product) == gradient(nd.array(DENSE), product)


@both
def test_sparse_heads_and_variables(stype):
    array = nd.array(DENSE)
    array.attach_grad()
    with autograd.record():
        result = (array * 2).tostype(stype)
    autograd.backward([result], [make(stype)])
    assert array.grad.asnumpy().tolist() == (DENSE * 2).tolist()
    with autograd.record():
        result = (array * 3).tostype(stype)
    result.backward()
    assert array.grad.asnumpy().tolist() == [[3] * 3] * 3
    array = make(stype)
    array.attach_grad()
    with autograd.record():
        result = array * 2
    (found,) = autograd.grad(result, [array])
    assert found.asnumpy().tolist() == [[2] * 3] * 3


def test_gradients_of_rows_are_returned_too():
    table = nd.array(DENSE)
    table.attach_grad(stype="row_sparse")
    with autograd.record():
        picked = nd.Embedding(nd.array([1, 1]), table, input_dim=3, output_dim=3, sparse_grad=True)
    (found,) = autograd.grad(picked, [table])
    assert found.stype == "row_sparse"
    assert found.asnumpy().tolist() == [[0] * 3, [2] * 3, [0] * 3]


@pytest.mark.parametrize("wanted", ["default", "row_sparse", "csr"])
def test_products_come_in_the_storage_type_asked_for(wanted):
    dense, matrix = nd.array(DENSE), make("csr")
    for first, second in ((dense, dense), (matrix, dense), (dense, matrix), (matrix, matrix)):
        for turned in (False, True):
            result = nd.dot(first, second, transpose_b=turned, forward_stype=wanted)
            assert result.stype == wanted
            other = DENSE.T if turned else DENSE
            assert result.asnumpy().tolist() == (DENSE @ other).tolist()
    assert nd.dot(dense, dense, False, False, wanted).stype == wanted
    out = nd.zeros((3, 3))
    assert nd.dot(dense, dense, forward_stype=wanted, out=out) is out
    factor = nd.dot(dense, dense, forward_stype=wanted)
    assert gradient(nd.array(DENSE), lambda x: nd.dot(x, x, forward_stype=wanted) * 1) == gradient(
        nd.array(DENSE), lambda x: nd.dot(x, x) * 1
    )
    assert factor.asnumpy().tolist() == (DENSE @ DENSE).tolist()
    graph = mx.sym.dot(mx.sym.var("a"), mx.sym.var("b"), forward_stype=wanted)
    (found,) = graph.eval(ctx=mx.cpu(), a=dense, b=dense)
    assert found.asnumpy().tolist() == (DENSE @ DENSE).tolist()


def test_unknown_storage_types_of_products_are_refused():
    with pytest.raises(InvalidArgumentError, match="forward_stype='x' was given. Expected 'csr'"):
        nd.dot(nd.ones((2, 2)), nd.ones((2, 2)), forward_stype="x")
    with pytest.raises(InvalidArgumentError, match="batch_dot: forward_stype='x' was given"):
        nd.batch_dot(nd.ones((1, 2, 2)), nd.ones((1, 2, 2)), forward_stype="x")


@pytest.mark.parametrize("stype", ["default", "row_sparse", "csr"])
def test_batches_of_matrices_are_dense_whatever_a_graph_says(stype):
    product = nd.batch_dot(nd.ones((1, 2, 2)), nd.ones((1, 2, 2)), forward_stype=stype)
    assert (product.stype, product.asnumpy().tolist()) == ("default", [[[2, 2], [2, 2]]])


def all_rows(value):
    return nd.full((3, 3), value)


# Which rows MXNet updates: those of the gradient where weight and states are stored alike.
@pytest.mark.parametrize(
    ("update", "count", "is_dense_lazy"),
    [("sgd_mom_update", 1, True), ("adam_update", 2, True), ("ftrl_update", 2, False)],
)
@pytest.mark.parametrize("weight_stype", ["default", "row_sparse"])
@pytest.mark.parametrize("state_stype", ["default", "row_sparse"])
def test_rows_without_gradient(update, count, is_dense_lazy, weight_stype, state_stype):
    weight = all_rows(2).tostype(weight_stype)
    states = [all_rows(1).tostype(state_stype) for _ in range(count)]
    options = {"momentum": 0.9} if update == "sgd_mom_update" else {}
    getattr(nd, update)(weight, make("row_sparse"), *states, lr=0.1, out=weight, **options)
    is_lazy = weight_stype == state_stype and (is_dense_lazy or state_stype == "row_sparse")
    assert (weight.asnumpy()[1].tolist() == [2] * 3) == is_lazy
    assert weight.asnumpy()[0, 1] != 2
    assert [weight.stype, states[0].stype] == [weight_stype, state_stype]
