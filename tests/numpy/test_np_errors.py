"""What np says about arguments that do not fit."""

from __future__ import annotations

import pytest

from gluonish import np, npx
from gluonish.errors import AxisError, MXNetError

M = np.ones((2, 3))
CASES = {
    "np.add(M, None)": r"add: array of shape \(2, 3\) .* and None were given\. Expected two "
    r"arrays, or an array and a number, not NoneType\. Make an array with mx\.np\.array",
    "np.less(M, 'x')": r"less: .* and 'x' were given\. Expected two arrays, or .*, not str\.",
    "np.add(M, ['x'])": r"add: list was given where an array is needed",
    "np.add(M, [1, 2])": r"add: arrays of shape \(2, 3\) and \(2,\) were given",
    "np.sum(M, axis=5)": r"np.sum: axis 5 is out of bounds for an array of shape \(2, 3\)",
    "np.sum(M, axis=(0, 0))": r"np.sum: axis \(0, 0\) is out of bounds.*each at most once",
    "M.mean(axis=7)": r"np.mean: axis 7 is out of bounds",
    "np.max(np.zeros((0, 3)))": r"np.max: zero-size array to reduction operation",
    "np.argmax(M, 3)": r"np.argmax: axis 3 is out of bounds",
    "np.argmax(np.zeros(0))": r"np.argmax: .*Expected one element or more",
    "np.cumsum(M, 2)": r"np.cumsum: axis 2 is out of bounds",
    "np.std(M, 2)": r"np.std: axis 2 is out of bounds",
    "M.reshape(4, 4)": r"reshape: .*shape \(2, 3\), which has 6 elements.*new shape \(4, 4\)",
    "np.reshape(M, (-1, -1))": r"np.reshape: .*at most one length -1",
    "np.ravel(M, order='F')": r"np.ravel: order='F' was given",
    "np.transpose(M, (0, 0))": r"np.transpose: axes=\(0, 0\).*Write x\.transpose\(1, 0\)",
    "np.swapaxes(M, 0, 5)": r"np.swapaxes: axis 5 is out of bounds",
    "np.moveaxis(M, (0, 1), 0)": r"np.moveaxis: 2 axes",
    "np.rollaxis(M, 0, 4)": r"np.rollaxis: axis 4 is out of bounds",
    "np.expand_dims(M, 5)": r"np.expand_dims: axis 5 is out of bounds.*Expected -3 to 2",
    "np.squeeze(M, 0)": r"np.squeeze: cannot select an axis to squeeze out",
    "np.broadcast_to(M, (2, 2))": r"np.broadcast_to: shape \(2, 3\) is not broadcastable",
    "np.broadcast_arrays(M, np.ones(2))": r"np.broadcast_arrays: .*\(2, 3\), \(2,\)",
    "np.concatenate([M, np.ones((3, 2))])": r"np.concatenate: .*\(2, 3\), \(3, 2\)",
    "np.concatenate([M, M], axis=2)": r"np.concatenate: axis 2 is out of bounds",
    "np.concatenate([])": r"np.concatenate: arrays of shape no were given",
    "np.stack([M, np.ones(3)])": r"np.stack: .*all of one shape",
    "np.split(M, 2, axis=1)": r"np.split: array split does not result in an equal division",
    "np.array_split(M, 0)": r"np.array_split: 0 parts",
    "np.vsplit(np.ones(4), 2)": r"np.vsplit: .*Expected 2 axes or more",
    "np.dot(M, M)": r"np.dot: arrays of shape \(2, 3\) and \(2, 3\).*Transpose",
    "np.dot(M, M.T.astype('int32'))": r"np.dot: arrays of dtype float32 and int32",
    "M @ M": r"np.matmul: arrays of shape \(2, 3\) and \(2, 3\)",
    "np.inner(M, np.ones(2))": r"np.inner: arrays of shape",
    "np.tensordot(M, M, 1)": r"np.tensordot: arrays of shape",
    "np.einsum('ij,jk', M, M)": r"np.einsum\('ij,jk'\): arrays of shape",
    "np.where(M, M)": r"np.where: one of x and y was given",
    "np.where(M, np.ones(2), M)": r"np.where: arrays of shape",
    "np.take(M, np.array([9]), axis=0)": r"np.take: indices out of bounds.*of length 2",
    "np.take(M, np.array([0]), mode='x')": r"np.take: mode='x' was given",
    "np.compress([1, 1, 1], M, axis=0)": r"np.compress: a condition of shape \(3,\)",
    "np.extract(np.ones(2), M)": r"np.extract: arrays of shape",
    "np.select([M], [M, M])": r"np.select: 1 conditions and 2 choices",
    "np.sort(M, kind='x')": r"np.sort: kind='x'",
    "np.searchsorted(M[0], M, side='x')": r"np.searchsorted: side='x'",
    "np.bincount(M[0])": r"np.bincount: .*Expected a vector of integers",
    "np.linalg.inv(M)": r"np.linalg.inv: .*square",
    "np.linalg.inv(np.ones((2, 2)))": r"np.linalg.inv: .*singular",
    "np.linalg.cholesky(-np.eye(2))": r"np.linalg.cholesky: .*positive definite",
    "np.linalg.eigvals(np.array([[0, 1], [-1, 0]]))": r"complex eigenvalues",
    "np.linalg.norm(M, 'x')": r"np.linalg.norm: invalid norm order 'x'",
    "np.linalg.det(np.ones(2))": r"np.linalg.det: .*Expected matrices",
    "np.linalg.qr(M, mode='r')": r"np.linalg.qr: mode='r'",
    "np.linalg.eigh(np.eye(2), UPLO='X')": r"np.linalg.eigh: UPLO='X'",
    "np.zeros(-1)": r"np.zeros: -1 was given as lengths of axes",
    "np.ones((2,), order='F')": r"np.ones: order='F' was given",
    "np.full((2,), M)": r"np.full: a fill_value of shape \(2, 3\)",
    "np.empty_like(M, subok=True)": r"np.empty_like: subok=True",
    "np.arange(0, 5, 0)": r"np.arange: step=0 was given",
    "np.linspace(0, 1, -1)": r"np.linspace: num=-1",
    "np.linspace(0, 1, 3, axis=1)": r"np.linspace: axis=1",
    "np.meshgrid(M, indexing='x')": r"np.meshgrid: indexing='x'",
    "np.hanning(3, dtype='int32')": r"np.hanning: dtype='int32'",
    "np.vander(M)": r"np.vander: .*Expected a vector",
    "np.tile(M, -1)": r"np.tile: -1 was given",
    "np.repeat(M, -1)": r"np.repeat: repeats=-1",
    "np.repeat(M, [1, 2, 3], axis=0)": r"np.repeat: repeats=\[1, 2, 3\]",
    "np.roll(M, (1, 2), axis=(0, 1, 1))": r"np.roll: 2 shifts were given for 3 axes",
    "np.pad(M, ((1, 1),), mode='x')": r"np.pad: mode='x'",
    "np.pad(M, ((1, 1), (1, 1), (1, 1)))": r"np.pad: pad_width=",
    "np.pad(np.ones((0,)), 1, mode='edge')": r"np.pad: axis 0 .* is empty",
    "np.delete(M, 9)": r"np.delete: index 9 is out of bounds",
    "np.insert(M, 0, np.ones(5), axis=0)": r"np.insert: values of shape",
    "np.diag(np.ones((1, 1, 1)))": r"np.diag: .*Expected one or two axes",
    "np.diag_indices_from(M)": r"np.diag_indices_from: .*all of equal length",
    "np.tril(np.array(1.0))": r"np.tril: an array of shape \(\)",
    "np.average(M, weights=np.ones(2))": r"np.average: weights of shape \(2,\)",
    "np.percentile(M, 101)": r"np.percentile: a share outside.*0 to 100",
    "np.quantile(M, 0.5, interpolation='x')": r"np.quantile: interpolation='x'",
    "np.clip(M, None, None)": r"np.clip: neither a_min nor a_max",
    "np.diff(M, -1)": r"np.diff: n=-1",
    "np.interp(M, M, M)": r"np.interp: .*Expected two vectors",
    "np.polyval(M, M)": r"np.polyval: .*Expected a vector",
    "np.convolve(M, M)": r"np.convolve: .*Expected two vectors",
    "np.cov(np.ones((1, 1, 1)))": r"np.cov: .*Expected one or two axes",
    "np.histogram(M, bins=0)": r"np.histogram: bins=0",
    "np.histogram(M, range=(1, 0))": r"np.histogram: range=\(1, 0\)",
    "np.histogram(M, bins=[3, 1])": r"np.histogram: bins of shape",
    "np.isclose(M, np.ones(2))": r"np.isclose: arrays of shape",
    "np.concatenate(['a'])": r"str was given where an array is needed",
    "npx.reshape(M, (-2, -2, -2))": r"npx.reshape: .*no axis is left for -2",
    "npx.reshape(M, (-3, -4))": r"npx.reshape: .*-3 met an axis whose length is not 1",
    "npx.reshape(M, (-6, 2, 2, -4))": r"npx.reshape: .*-6 can't split 2 into 2 times 2",
    "npx.reshape(M, (-9,))": r"npx.reshape: .*-9 is no length and no code",
    "npx.reshape(M, (4, 4))": r"npx.reshape: .*the lengths \(4, 4\) do not fit",
}


@pytest.mark.parametrize("call", list(CASES))
def test_message_says_what_was_given_and_expected(call: str) -> None:
    with pytest.raises(MXNetError, match=CASES[call]) as caught:
        eval(call, {"np": np, "npx": npx, "M": M})
    assert "Expected" in str(caught.value) or "expected" in str(caught.value)


def test_axis_error_is_caught_as_numpy_s() -> None:
    assert issubclass(AxisError, (ValueError,))
    assert issubclass(AxisError, IndexError)
    with pytest.raises(ZeroDivisionError):
        np.arange(0, 5, 0)
