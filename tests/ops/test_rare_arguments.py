"""Arguments that MXNet's own tests give, and few programs."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, nd, np, npx
from gluonish.base import MXNetError


def test_the_upper_factor_of_cholesky():
    a = nd.array([[4, 2], [7, 5]])  # whose lower triangle is not read
    assert nd.linalg.potrf(a, lower=False).asnumpy().tolist() == [[2, 1], [0, 2]]
    factor = nd.array([[2, 1], [9, 2]])
    inverse = nd.linalg.potri(factor, lower=False).asnumpy().tolist()
    assert inverse == [[0.3125, -0.125], [-0.125, 0.25]]
    graph = mx.sym.linalg.potrf(mx.sym.var("a"), lower=False, name="p")
    assert graph.attr_dict() == {"p": {"lower": "False"}}


def test_the_gradient_of_the_upper_factor():
    a = nd.array([[4, 2], [2, 5]])
    a.attach_grad()
    with autograd.record():
        inverse = nd.linalg.potri(a, lower=False)
    inverse.backward(nd.array([[1, 2], [3, 4]]))
    assert_close(a.grad.asnumpy(), onp.array([[-0.01125, -0.04], [0, -0.028]]))


@pytest.mark.parametrize("size", [0, -1])
@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
def test_blocks_have_a_size(name, size):
    with pytest.raises(MXNetError, match=f"block_size={size} was given"):
        getattr(nd, name)(nd.zeros((1, 4, 2, 2)), size)


def test_synchronized_batch_normalization_returns_the_variance():
    one, zero = nd.ones((1,)), nd.zeros((1,))
    with autograd.train_mode():
        result, mean, variance = nd.contrib.SyncBatchNorm(
            nd.array([[1], [4]]), one, zero, zero, one, eps=1, key="k", output_mean_var=True
        )
    assert_close(result.asnumpy(), onp.array([[-0.8320503], [0.8320503]]))
    assert (mean.asscalar(), variance.asscalar()) == (2.5, 2.25)


def test_counts_of_numbers_are_integers():
    for function in (np.linspace, np.logspace):
        for count in (2.5, 3.0):
            with pytest.raises(MXNetError, match="Expected an integer, 0 or more"):
                function(0, 1, count)
    assert np.linspace(0, 1, onp.int32(3)).tolist() == [0, 0.5, 1]
    assert np.arange(1, 3, None).tolist() == [1, 2]


def test_slices_without_bounds():
    x = np.arange(6).reshape(2, 3)
    for step in (None, (), []):
        assert npx.slice(x, begin=[], end=[], step=step).tolist() == x.tolist()
    assert npx.slice(x, begin=(1,), end=(2,), step=()).tolist() == [[3, 4, 5]]


def test_lengths_that_broadcasting_keeps():
    x = np.zeros((3, 4))
    assert np.broadcast_to(np.zeros((3, 4)), (2, -2, -2)).shape == (2, 3, 4)
    assert np.broadcast_to(x, (1, 0, -2, 4)).shape == (1, 0, 3, 4)
    for shape in ((-2, 3, 4), (3, -1)):
        with pytest.raises(MXNetError):
            np.broadcast_to(x, shape)


@pytest.mark.parametrize(
    "call",
    [
        lambda: np.random.gamma(1, np.array([0, 1])),
        lambda: np.random.gamma(1, np.array([-1, 1])),
        lambda: np.random.gamma(np.array([0]), 1),
        lambda: np.random.normal(0, np.array([-1])),
        lambda: npx.random.bernoulli(prob=np.array([0.5, -1])),
        lambda: npx.random.bernoulli(prob=np.array([[1.5]])),
    ],
)
def test_arrays_of_parameters_are_in_range(call):
    with pytest.raises(ValueError, match="was given as|was given. Expected"):
        call()


def test_a_multinomial_of_nothing():
    assert np.random.multinomial(3, []).shape == (0,)
    found = np.random.multinomial(3, np.array([]), size=(2,))
    assert (found.shape, found.dtype) == ((2, 0), onp.int64)


UNARY = ("abs", "fix", "isnan", "isposinf", "logical_not", "exp", "degrees")
BINARY = ("add", "hypot", "maximum", "power", "subtract", "arctan2")


def called(name, **kwargs):
    x = np.array([1, 0.5])
    return getattr(np, name)(*[x] * (1 + (name in BINARY)), **kwargs)


@pytest.mark.parametrize("name", UNARY + BINARY)
def test_keywords_of_universal_functions(name):
    plain = called(name).tolist()
    assert called(name, where=True, subok=True, order="K", casting="same_kind").tolist() == plain
    out = np.zeros(2, dtype=called(name).dtype)
    assert called(name, out=out, dtype=None, where=True) is out
    for key, value in (("where", False), ("subok", False), ("order", "C"), ("casting", "safe")):
        with pytest.raises(NotImplementedError, match=f"{key}={value!r} was given, which is not"):
            called(name, **{key: value})
    for dtype in ("float64", onp.float32):
        with pytest.raises(NotImplementedError, match="dtype"):
            called(name, dtype=dtype)
    with pytest.raises(TypeError, match="abcdefg"):
        called(name, dtype="abcdefg")
    with pytest.raises(TypeError, match="casting mxnet not understood"):
        called(name, casting="mxnet")
    with pytest.raises(TypeError, match="unknown|keyword argument"):
        called(name, unknown=1)


def test_tests_of_numbers_want_booleans():
    for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf"):
        with pytest.raises(TypeError, match="dtype bool"):
            getattr(np, name)(np.ones(2), np.zeros(2))
        out = np.zeros(2, dtype="bool")
        getattr(np, name)(np.ones(2), out)
        assert out.tolist() == [name == "isfinite"] * 2


def test_lengths_of_slices_of_open_axes():
    x = mx.sym.var("x", shape=(10, 0))
    for axis, shape in ((0, (5, 0)), (1, (10, 0))):
        graph = mx.sym.slice_axis(x, axis=axis, begin=0, end=5)
        assert graph.infer_shape_partial()[1] == [shape]
    assert mx.sym.slice_axis(x, axis=1, begin=0, end=5).infer_shape(x=(10, 7))[1] == [(10, 5)]


def test_classes_that_are_drawn_once():
    classes, draws = nd._internal._sample_unique_zipfian(5, shape=(2, 5))
    assert [sorted(row) for row in classes.asnumpy().tolist()] == [[0, 1, 2, 3, 4]] * 2
    assert (draws.shape, draws.dtype) == ((2,), onp.int64)
    first, _ = nd._internal._sample_unique_zipfian(5, shape=(2000, 1))
    shares = onp.bincount(first.asnumpy().ravel()) / 2000
    assert onp.abs(shares - [0.252, 0.317, 0.209, 0.156, 0.066]).max() < 0.05
    _, (many,) = nd._internal._sample_unique_zipfian(793472, shape=(1, 8192))
    assert 14500 < many.asscalar() < 17500
    for shape in ((3,), (1, 6)):
        with pytest.raises(MXNetError):
            nd._internal._sample_unique_zipfian(5, shape=shape)


@pytest.mark.parametrize("kind", ["row_sparse", "csr"])
@pytest.mark.parametrize("name", ["_maximum", "_minimum", "_hypot"])
def test_pairs_of_sparse_arrays(name, kind):
    one, other = nd.array([[3, 0], [0, 0]]), nd.array([[4, 0], [0, 0]])
    variables = [mx.sym.var(letter, stype=kind) for letter in "ab"]
    graph = getattr(mx.sym._internal, name)(*variables)
    arrays = {"a": one.tostype(kind), "b": other.tostype(kind)}
    (found,) = graph.bind(mx.cpu(), arrays).forward()
    expected = {"_maximum": 4, "_minimum": 3, "_hypot": 5}[name]
    assert (found.stype, found.asnumpy().tolist()) == (kind, [[expected, 0], [0, 0]])
    executor = graph.simple_bind(mx.cpu(), a=(2, 2), b=(2, 2))
    assert {each.stype for each in executor.grad_dict.values()} == {"default"}


def test_rows_without_elements_have_none_to_fill() -> None:
    rows = mx.nd.array(onp.zeros((3, 0), "float32"))
    with mx.util.np_shape(True):
        filled = mx.nd.fill_element_0index(rows, mx.nd.ones((3,)), mx.nd.zeros((3,)))
    assert filled.shape == (3, 0)


def test_a_factor_with_a_zero_on_its_diagonal_is_refused():
    """As by MXNet, whose LAPACK refuses it; there was NaN."""
    with pytest.raises(MXNetError, match="no 0 on the diagonal. Give it what potrf returns"):
        nd.linalg.potri(nd.array([[1, 0], [0, 0]]))
