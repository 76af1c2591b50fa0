"""What nd operators say about arguments that do not fit."""

from __future__ import annotations

import pytest

from gluonish import errors, nd

CASES = [
    ("f + nd.ones((2, 2))", "ShapeError", r"add: arrays of shape \(3, 4\) and \(2, 2\) were given"),
    ("f - nd.ones((2, 2))", "ShapeError", "subtract: arrays of shape"),
    ("f * nd.ones((2, 2))", "ShapeError", "multiply: arrays of shape"),
    ("f / nd.ones((2, 2))", "ShapeError", "divide: arrays of shape"),
    ("f % nd.ones((2, 2))", "ShapeError", "modulo: arrays of shape"),
    ("f ** nd.ones((2, 2))", "ShapeError", "power: arrays of shape"),
    ("f > nd.ones((2, 2))", "ShapeError", "greater: arrays of shape"),
    ("nd.maximum(f, nd.ones((2, 2)))", "ShapeError", "make them with equal sizes, cut or pad one"),
    ("nd.minimum(f, nd.ones((2, 2)))", "ShapeError", "minimum: arrays of shape"),
    ("nd.broadcast_hypot(f, nd.ones((2, 2)))", "ShapeError", "hypot: arrays of shape"),
    ("nd.add(f, 'text')", "DTypeError", "add: array of shape .* and 'text' were given"),
    (
        "nd.add(f)",
        "UnknownArgumentError",
        r"add: .* was given \(missing a required argument: 'rhs'\). Expected add\(lhs, rhs\)",
    ),
    ("nd.sum(f, axis=2)", "InvalidArgumentError", "sum: .*axis=2.* Count from 0"),
    ("nd.sum(f, axis=(0, 0))", "ShapeError", "an axis, or several, that the array has"),
    ("nd.max(f, axis=(0, 0))", "InvalidArgumentError", "the axes of an array with 2 axes"),
    ("f.mean(axis=5)", "InvalidArgumentError", "mean: .*axis=5"),
    ("f.max(axis=5)", "InvalidArgumentError", "max: .*axis=5"),
    ("f.argmax(axis=5)", "InvalidArgumentError", "argmax: .*axis=5"),
    ("nd.norm(f, ord=3)", "InvalidArgumentError", "norm: ord=3 was given. Expected 1"),
    ("nd.argmax_channel(f[0])", "InvalidArgumentError", "at least two axes"),
    ("f.reshape((5, 5))", "ShapeError", r"\(12 elements\) was to get shape \(5, 5\)"),
    ("f.reshape((5, -1))", "ShapeError", "12 is no multiple of 5: x.reshape"),
    ("f.reshape((-3, -3))", "ShapeError", "reshape: an array of shape"),
    ("f.reshape()", "InvalidArgumentError", "reshape: no shape was given"),
    ("f.reshape((3, 4), order='F')", "DTypeError", "reshape: order was given"),
    ("nd.reshape_like(f, nd.ones((5,)))", "ShapeError", "as many elements"),
    ("f.transpose((0, 0))", "ShapeError", "axes exactly once"),
    ("f.expand_dims(4)", "InvalidArgumentError", "Append with axis=-1"),
    ("f.squeeze(axis=0)", "ShapeError", "axes of length 1"),
    ("f.swapaxes(0, 7)", "InvalidArgumentError", "two axes of the array"),
    ("f.flip(axis=3)", "InvalidArgumentError", "axes of the array"),
    ("nd.moveaxis(f, 0, 5)", "InvalidArgumentError", "as many sources as destinations"),
    ("nd.depth_to_space(f, 2)", "ShapeError", "channels divisible by"),
    ("nd.space_to_depth(f, 2)", "ShapeError", "divisible by block_size"),
    ("nd.concat(f, nd.ones((5, 5)))", "ShapeError", "differ on that axis only"),
    ("nd.concat()", "InvalidArgumentError", "concat: no array was given"),
    ("nd.concat(f, f, num_args=3)", "InvalidArgumentError", "2 arrays and num_args=3"),
    ("nd.stack(f, nd.ones((5, 5)))", "ShapeError", "stack: .*arrays of one shape"),
    ("nd.add_n(f, nd.ones((5, 5)))", "ShapeError", "add_n: .*arrays of one shape"),
    ("nd.split(f, 3)", "ShapeError", "cut into num_outputs=3 equal parts"),
    ("nd.split(f, 2, squeeze_axis=True)", "ShapeError", "squeeze_axis=True was given for parts"),
    ("nd.split_v2(f, 3, axis=1)", "InvalidArgumentError", "does not result in an equal division"),
    ("nd.slice(f, begin=(0, 0, 0), end=(1, 1, 1))", "InvalidArgumentError", "at most one begin"),
    ("nd.slice_axis(f, axis=1, begin=0, end=7)", "InvalidArgumentError", "Write end=None"),
    ("nd.slice_like(f, nd.ones((9, 9)))", "ShapeError", "9 positions of axis 0"),
    ("nd.slice_like(f, nd.ones((2,)))", "ShapeError", "axes that both arrays have"),
    ("nd.tile(f, (2, -1))", "ShapeError", "numbers of repetitions"),
    (
        "nd.contrib.hawkesll(f, f[0], f[0], f, f, nd.ones((3, 4)) * 4, f[:, 0], f[:, 0])",
        "InvalidArgumentError",
        "marks from 4 to 4 were given. Expected 0 to 3",
    ),
    ("nd.diag(f, k=9)", "InvalidArgumentError", "a diagonal inside of the matrix"),
    ("nd.depth_to_space(nd.zeros((1, 4, 0, 2)), 2)", "ShapeError", "elements along each axis"),
    ("nd.space_to_depth(nd.zeros((1, 4, 0, 2)), 2)", "ShapeError", "space_to_depth: an array of"),
    (
        "nd.broadcast_like(f, f, lhs_axes=(), rhs_axes=())",
        "InvalidArgumentError",
        "as many axes of both",
    ),
    ("nd.repeat(f, -1)", "ShapeError", "number of repetitions"),
    ("f.broadcast_to((3, 5))", "ShapeError", "broadcast_to: .*length of 1 wherever"),
    ("f.broadcast_axes(axis=0, size=7)", "ShapeError", "axes of length 1"),
    ("f.broadcast_like(nd.ones((5, 5)))", "ShapeError", "Name the axes with lhs_axes"),
    ("nd.take(f, nd.array([7]), mode='raise')", "InvalidIndexError", "indices from 7 to 7"),
    ("nd.take(f, nd.array([7]), mode='x')", "InvalidArgumentError", "take: mode='x' was given"),
    ("nd.pick(f, nd.array([1, 2]))", "ShapeError", "shape without the axis"),
    ("nd.batch_take(f, nd.array([1, 2]))", "ShapeError", "one index for each row"),
    ("nd.gather_nd(f, nd.array([[9], [0]]))", "InvalidIndexError", "inside of the axes"),
    ("nd.scatter_nd(f, nd.array([[9, 0, 1]]), shape=(4, 4))", "InvalidArgumentError", "within the"),
    ("nd.where(nd.ones((2, 2)), f, f)", "ShapeError", "vector as the condition"),
    ("nd.contrib.boolean_mask(f, nd.ones((2,)))", "ShapeError", "Check the mask's length"),
    ("nd.contrib.index_copy(f, nd.ones((2,)), f)", "InvalidArgumentError", "as many new rows"),
    ("nd.sort(f, axis=4)", "InvalidArgumentError", "sort: .*or write None"),
    ("nd.argsort(f, axis=4)", "InvalidArgumentError", "argsort: .*or write None"),
    ("nd.topk(f, k=5)", "InvalidArgumentError", "topk: k=5 was given .* at most 4"),
    ("nd.topk(f, ret_typ='x')", "InvalidArgumentError", "ret_typ='x' was given"),
    ("nd.ravel_multi_index(f, shape=(2, 2))", "ShapeError", "one row of positions"),
    ("nd.dot(f, f)", "ShapeError", "dot: .*Write transpose_b=True"),
    ("nd.dot(f, f, forward_stype='x')", "InvalidArgumentError", "forward_stype='x'"),
    ("nd.batch_dot(nd.ones((2, 3, 4)), nd.ones((2, 3, 4)))", "ShapeError", "equal batch axes"),
    ("nd.khatri_rao(f, nd.ones((2, 2)))", "ShapeError", "as many in each"),
    ("nd.linalg.gemm2(f, f)", "ShapeError", "inner lengths agree"),
    ("nd.linalg.potrf(-nd.eye(2))", "ShapeError", "positive definite"),
    ("nd.linalg.inverse(nd.zeros((2, 2)))", "ShapeError", "can be inverted"),
    ("nd.linalg.det(f)", "ShapeError", "square matrices"),
    ("nd.linalg.trsm(f, f)", "ShapeError", "triangular"),
    (
        "nd.SequenceMask(f, use_sequence_length=True)",
        "InvalidArgumentError",
        "without sequence_len",
    ),
    ("nd.SequenceLast(f, axis=2)", "InvalidArgumentError", "SequenceLast: axis=2 was given"),
    ("nd.SequenceLast(f, nd.ones((1,)), True)", "ShapeError", "a length for each of its 4"),
    ("nd.SequenceLast(f, nd.ones((4, 1)), True)", "ShapeError", "a length for each of its 4"),
    ("nd.SequenceMask(f, nd.ones((4, 1)), True)", "ShapeError", "a length for each of its 4"),
    (
        "nd.SequenceReverse(f, nd.ones((9,)), True)",
        "ShapeError",
        "Expected a length for each of its 4 sequences",
    ),
    ("nd.histogram(f, bins=0)", "InvalidArgumentError", "histogram: bins=0"),
    ("nd.cumsum(f, axis=4)", "InvalidArgumentError", "cumsum: .*axis of the array"),
    ("nd.MakeLoss(f, normalization='x')", "InvalidArgumentError", "normalization='x'"),
    ("nd.all_finite(f, init_output=False)", "InvalidArgumentError", "init_output=False"),
    ("nd.cast_storage(f, 'x')", "InvalidArgumentError", "unknown storage type: 'x'"),
    ("nd.cast(f, 'float7')", "DTypeError", "dtype 'float7'"),
    ("nd.zeros((-1, 2))", "ShapeError", r"zeros: shape=\(-1, 2\) was given"),
    ("nd.ones('ab')", "DTypeError", "ones: shape='ab' was given"),
    ("nd.zeros((2,), stype='csr')", "InvalidArgumentError", "'csr' was asked for .* 2 axes"),
    ("nd.arange(5, 2)", "InvalidArgumentError", "arange: start=5, stop=2"),
    ("nd.arange(0, 2, 0)", "InvalidArgumentError", "a step that leads from start to stop"),
]


@pytest.mark.parametrize(("row", "error", "text"), CASES, ids=[case[0] for case in CASES])
def test_error_says_what_was_given_and_what_to_do(row: str, error: str, text: str) -> None:
    f = nd.arange(12).reshape((3, 4))
    with pytest.raises(getattr(errors, error), match=text):
        eval(row, {"nd": nd, "f": f})


def test_errors_of_operators_can_be_caught_as_mxnets() -> None:
    with pytest.raises(errors.MXNetError):
        nd.ones((2,)) + nd.ones((3,))


@pytest.mark.parametrize("stype", ["default", "csr"])
def test_comparison_with_none_or_text_is_refused_as_by_mxnet(stype: str) -> None:
    x = nd.ones((2, 2)).tostype(stype)
    with pytest.raises(TypeError, match="Write x is None, or x is not None"):
        x == None  # noqa: B015, E711 - that is what is tested
    with pytest.raises(TypeError, match="x is not None"):
        None != x  # noqa: B015, E711, SIM300
    with pytest.raises(TypeError, match=r"array of shape \(2, 2\) and str"):
        x == "a"  # noqa: B015
    with pytest.raises(TypeError, match="NoneType"):
        x < None  # noqa: B015
