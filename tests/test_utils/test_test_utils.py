"""The comparisons and random arrays of test_utils."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as onp
import pytest

import gluonish as mx
from gluonish import test_utils
from gluonish.errors import (
    DifferentArraysError,
    InvalidArgumentError,
    MXNetError,
    UnknownNameError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def test_arrays_of_all_kinds_are_compared() -> None:
    test_utils.assert_almost_equal(mx.nd.ones((2,)), onp.ones(2))
    assert test_utils.same(mx.np.ones(2), [1, 1])
    assert not test_utils.almost_equal(onp.ones(2), onp.ones(2) * 1.1)
    assert test_utils.almost_equal(onp.array([onp.nan]), onp.array([onp.nan]), equal_nan=True)
    with pytest.raises(DifferentArraysError, match="Shapes are not equal"):
        test_utils.almost_equal(onp.ones((1, 2)), onp.ones(2), use_broadcast=False)


def test_the_message_tells_where_arrays_differ() -> None:
    with pytest.raises(AssertionError, match=r"Items are not equal: error 9090.*\(1,\): x=1.0000"):
        test_utils.assert_almost_equal(onp.ones(2), onp.array([1, 1.1]), names=("x", "y"))
    with pytest.raises(
        DifferentArraysError, match=r"Shapes are not equal: a\.shape = \(1, 2\) and"
    ):
        test_utils.assert_almost_equal(onp.ones((1, 2)), onp.ones(2), use_broadcast=False)


def test_tolerances_are_those_of_the_coarser_dtype() -> None:
    single, double = onp.ones(1, dtype="float32"), onp.ones(1) + 1e-4
    test_utils.assert_almost_equal(single, double)
    assert not test_utils.almost_equal(onp.ones(1), double)


def test_random_arrays_have_the_shapes_asked_for() -> None:
    assert test_utils.rand_ndarray((2, 3), dtype="float64").dtype is onp.float64
    assert all(1 <= length <= 4 for length in test_utils.rand_shape_nd(5, 4))
    assert len(test_utils.rand_shape_3d()) == 3
    with pytest.raises(InvalidArgumentError, match="'csr' was asked for"):
        test_utils.rand_ndarray((2,), "csr")


def test_random_sparse_arrays_store_the_share_asked_for() -> None:
    rows = test_utils.rand_ndarray((1000, 2), "row_sparse", density=0.3, dtype="float64")
    assert rows.stype == "row_sparse"
    assert rows.dtype is onp.float64
    assert 200 < len(rows.indices) < 400
    elements = test_utils.rand_ndarray((50, 40), "csr", 0.5, modifier_func=lambda x: -x)
    assert 800 < len(elements.data) < 1200
    assert (elements.data.asnumpy() < 0).all()
    power = test_utils.rand_ndarray((5, 16), "csr", 0.5, distribution="powerlaw")
    assert onp.diff(power.indptr.asnumpy()).tolist() == [2, 4, 8, 16, 10]
    mixed = test_utils.rand_ndarray((4, 30), "csr", 1.0, shuffle_csr_indices=True)
    assert (onp.diff(mixed.indices.asnumpy()[:30]) < 0).any()
    with pytest.raises(InvalidArgumentError, match="Distribution not supported"):
        test_utils.rand_ndarray((2, 2), "csr", distribution="normal")


def test_random_sparse_arrays_come_with_their_parts() -> None:
    rows, (data, indices) = test_utils.rand_sparse_ndarray(
        (5, 2), "row_sparse", rsp_indices=[1, 3], data_init=2, ctx=mx.cpu(1)
    )
    assert indices.tolist() == [1, 3]
    assert (data == 2).all()
    assert rows.context == mx.cpu(1)
    matrix, (starts, columns, values) = test_utils.rand_sparse_ndarray((5, 4), "csr", 0.5)
    again = mx.nd.sparse.csr_matrix((values, columns, starts), shape=(5, 4))
    test_utils.assert_almost_equal(matrix, again, rtol=0, atol=0)
    own = test_utils.rand_sparse_ndarray((5, 2), "row_sparse", rsp_indices=[0], modifier_func=abs)
    assert (own[1][0] > 0).all()


def test_the_message_lists_the_worst_first_and_counts_as_many_as_told() -> None:
    ones = onp.ones(4)
    with pytest.raises(
        AssertionError,
        match=r"mismatch at least 50.0+%\)\. Location of maximum error: \(3,\), a=1.0+, b=4.0+.*"
        r" at \(3,\)[^;]*\.$",
    ):
        test_utils.assert_almost_equal(ones, onp.arange(1, 5), mismatches=(1, 2))
    with pytest.raises(AssertionError, match=r"mismatch 75\.0+%"):
        test_utils.assert_almost_equal(ones, onp.arange(1, 5), mismatches=(1, 0))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: test_utils.retry(0), "n=0 was given. Expected at least 1"),
        (lambda: test_utils.random_sample([1], 2), "k=2 was given for 1 elements"),
        (lambda: test_utils.random_uniform_arrays((1,), step=1), r"argument/s: \['step'\]"),
        (lambda: test_utils.rand_ndarray((2, 2), "csr", 2), "density=2 was given: density has"),
        (lambda: test_utils.rand_ndarray((0, 2), "csr", 1), "greater than 0"),
        (
            lambda: test_utils.rand_ndarray((5, 8), "csr", 0.1, distribution="powerlaw"),
            "Take at least 0.25",
        ),
        (
            lambda: test_utils.rand_ndarray((5, 8), "csr", 1.0, distribution="powerlaw"),
            "whose rows hold fewer",
        ),
        (lambda: test_utils.rand_sparse_ndarray((2,), "default"), "unknown storage type"),
        (
            lambda: test_utils.rand_sparse_ndarray((2, 2), "row_sparse", rsp_indices=[0, 1, 1]),
            "3 rsp_indices were given",
        ),
        (
            lambda: test_utils.assign_each2(onp.ones(2), onp.ones(3), max),
            r"shapes \(2,\) and \(3,\) were",
        ),
        (lambda: test_utils.collapse_sum_like(onp.ones(2), (2, 2)), r"shape=\(2, 2\) was given"),
        (lambda: test_utils.gen_buckets_probs_with_ppf(float, 0), "nbuckets=0 was given"),
        (lambda: test_utils.chi_square_check(onp.ones, [1], []), "and 0 probs were given"),
        (
            lambda: test_utils.chi_square_check(onp.ones, [(2, 1)], [1], 10),
            "ranges .from, to. in ascending order",
        ),
        (
            lambda: test_utils.verify_generator(onp.ones, [0, 1], [0.5, 0.5], 10),
            r"Generator test fails, Chi-square p=\[0.0015",
        ),
        (
            lambda: test_utils.check_symbolic_forward(mx.sym.var("x"), {"y": 1}, [1]),
            r"given location do not match: \['y'\] were given. Expected \['x'\]",
        ),
        (lambda: test_utils.check_symbolic_forward(mx.sym.var("x"), 1, [1]), "location=1 was"),
        (
            lambda: test_utils.check_numeric_gradient(mx.sym.var("x"), [onp.ones(1)], dtype="f4"),
            "dtype='f4' was given. Expected numpy.float16",
        ),
        (
            lambda: test_utils.check_numeric_gradient(
                mx.sym.var("x"), [onp.ones(1)], numeric_eps=1e-6
            ),
            "less is lost in rounding",
        ),
        (
            lambda: test_utils.check_numeric_gradient(
                mx.sym.var("x"), [onp.ones(1)], grad_nodes="x"
            ),
            "grad_nodes='x' was given",
        ),
        (lambda: test_utils.check_consistency(mx.sym.var("x"), [{}]), "1 graphs and 1 contexts"),
        (
            lambda: test_utils.check_consistency([mx.sym.var("x"), mx.sym.var("y")], [{}, {}]),
            "graphs of the names",
        ),
        (
            lambda: test_utils.get_im2rec_path("GLUONISH_NO_SUCH"),
            "Could not find path to tools/im2rec.py: GLUONISH_NO_SUCH=''",
        ),
    ],
)
def test_messages_say_what_was_given(call: Callable[[], object], says: str) -> None:
    with pytest.raises(MXNetError, match=says):
        call()


def test_error_output_is_discarded_and_comes_back(capfd: pytest.CaptureFixture[str]) -> None:
    with test_utils.discard_stderr():
        os.write(2, b"lost\n")
        sys.stderr.write("lost\n")
    os.write(2, b"kept\n")
    assert capfd.readouterr().err == "kept\n"


def test_error_output_that_is_no_file_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with test_utils.discard_stderr():
        sys.stderr.write("lost")
    sys.stderr.write("kept")
    assert stream.getvalue() == "kept"


def test_a_star_brings_what_mxnets_brings() -> None:
    names: dict[str, object] = {}
    exec("from gluonish.test_utils import *", names)
    assert names["mx"] is mx
    assert names["np"] is onp
    assert names["rnd"] is onp.random
    assert names["Context"] is mx.Context
    assert names["os"] is os
    assert test_utils._parse_location(mx.sym.var("x"), [onp.ones(2)], mx.cpu())["x"].shape == (2,)
    with pytest.raises(UnknownNameError, match="has no attribute 'rand_nparray'"):
        test_utils.rand_nparray  # noqa: B018


def test_importing_leaves_scipy_alone() -> None:
    code = "import gluonish, sys; print('scipy.stats' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_a_consistency_that_is_only_told_is_told_by_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    x = mx.sym.var("x")
    places = [{"ctx": mx.cpu(), "x": (2,)}] * 2
    graphs = [mx.sym.tanh(x, name="y"), mx.sym.sigmoid(x, name="y")]
    test_utils.check_consistency(graphs, places, raise_on_err=False)
    assert "Predict Err: ctx 1 vs ctx 0 at y_output: Items are not equal" in caplog.text
    with pytest.raises(DifferentArraysError) as caught:
        test_utils.check_consistency(graphs, places)
    assert caught.value.__notes__ == ["Predict Err: ctx 1 vs ctx 0 at y_output"]


def test_expected_errors_have_to_come() -> None:
    with pytest.raises(DifferentArraysError, match=r"int did not raise\. Expected ValueError"):
        test_utils.assert_exception(int, ValueError, "1")


def test_environment_is_put_back() -> None:
    with test_utils.environment({"GLUONISH_TEST_VARIABLE": "1"}):
        assert mx.util.getenv("GLUONISH_TEST_VARIABLE") == "1"
    assert mx.util.getenv("GLUONISH_TEST_VARIABLE") is None
    with (
        pytest.raises(InvalidArgumentError, match="Expected a name and a value"),
        test_utils.environment("NAME"),
    ):
        pass


def test_arrays_of_other_shapes_are_refused_by_the_errors_of_mxnet():
    three, two = mx.nd.ones(3), mx.nd.ones(2)
    with pytest.raises(mx.MXNetError, match=r"arrays of shapes \(2,\) and \(3,\) were given"):
        mx.test_utils.assert_almost_equal(two, three)
    with pytest.raises(mx.MXNetError, match=r"Compare their shapes first"):
        mx.test_utils.assert_almost_equal(mx.nd.ones((1, 2)), two)
    for a, b in ((two.asnumpy(), three.asnumpy()), (two, three.asnumpy())):
        with pytest.raises(ValueError, match="could not be broadcast"):
            mx.test_utils.assert_almost_equal(a, b)
    with pytest.raises(AssertionError, match="Items are not equal"):
        mx.test_utils.assert_almost_equal(two, two + 1)
