"""Calls of the nd front end, by family, that the real MXNet 1.9.1 answered.

Each row is a Python expression over the arrays of `data()`; the golden file holds MXNet's answer.
"""

from __future__ import annotations

import numpy as onp

ARITHMETIC = """
nd.broadcast_add(f, v)
nd.broadcast_plus(f, c)
nd.elemwise_add(f, p)
nd.add(f, 2)
nd.add(2, i)
nd.broadcast_sub(f, v)
nd.broadcast_minus(f, c)
nd.elemwise_sub(f, p)
nd.subtract(3, f)
nd.broadcast_mul(g, f.expand_dims(0))
nd.elemwise_mul(f, p)
nd.multiply(f, -2)
nd.broadcast_div(f, p)
nd.elemwise_div(f, p)
nd.divide(f, p)
nd.divide(1, p)
nd.true_divide(i, 2)
nd.broadcast_mod(f, p)
nd.modulo(f, 0.75)
nd.modulo(7, p)
nd.modulo(f, 0)
nd.broadcast_power(p, f)
nd.power(p, 3)
nd.power(2, f)
nd.broadcast_maximum(f, v)
nd.maximum(t, tt)
nd.maximum(f, 0)
nd.maximum(0, f)
nd.maximum(i, 2.5)
nd.broadcast_minimum(f, v)
nd.minimum(t, tt)
nd.minimum(t, 2)
nd.broadcast_hypot(f, p)
f + 1.5
1.5 - f
f * f
2 / p
f / 3
-f
abs(f)
f % 0.5
2 ** f
p ** 0.5
p ** f
nd._internal._plus(f, p)
nd._internal._minus(f, p)
nd._internal._mul(f, p)
nd._internal._div(f, p)
nd.add_n(f, p, f)
nd.ElementWiseSum(f, p)
"""

COMPARISON = """
nd.equal(t, tt)
nd.broadcast_equal(i, i)
nd.not_equal(t, 2)
nd.broadcast_not_equal(t, tt)
nd.greater(f, 0)
nd.broadcast_greater(f, v)
nd.greater_equal(t, tt)
nd.broadcast_greater_equal(t, tt)
nd.lesser(0.5, f)
nd.broadcast_lesser(f, v)
nd.lesser_equal(t, tt)
nd.broadcast_lesser_equal(t, tt)
nd.logical_and(t, tt - 1)
nd.broadcast_logical_and(i, i)
nd.logical_or(i, i)
nd.broadcast_logical_or(t - 1, tt - 1)
nd.logical_xor(i, i)
nd.broadcast_logical_xor(t - 1, tt - 2)
nd.logical_not(t - 1)
nd.logical_not(i)
f > 0
0 < f
t == tt
t != 2
i >= 2
i <= 2.5
nd.contrib.isnan(nf)
nd.contrib.isnan(h)
nd.contrib.isinf(d)
nd.contrib.isfinite(h)
nd.contrib.isfinite(i)
nd.contrib.isinf(nf)
nd.contrib.isfinite(nf)
nd.contrib.allclose(f, f)
nd.all_finite(nf)
nd.all_finite(f)
nd.multi_all_finite(f, p, num_arrays=2)
"""

ELEMENTWISE = """
nd.exp(f)
nd.exp(i)
nd.expm1(f)
nd.log(p)
nd.log(i + 1)
nd.log2(p)
nd.log10(p)
nd.log1p(p)
nd.sqrt(p)
nd.sqrt(i)
nd.rsqrt(p)
nd.cbrt(f)
nd.rcbrt(p)
nd.square(f)
nd.reciprocal(p)
nd.sin(f)
nd.cos(f)
nd.tan(f)
nd.arcsin(s)
nd.arccos(s)
nd.arctan(f)
nd.sinh(f)
nd.cosh(f)
nd.tanh(f)
nd.tanh(h)
nd.arcsinh(f)
nd.arccosh(p + 1)
nd.arctanh(s * 0.9)
nd.degrees(f)
nd.radians(f)
nd.abs(x)
nd.sign(x)
nd.negative(f)
nd.floor(x)
nd.ceil(x)
nd.trunc(x)
nd.fix(x)
nd.rint(x)
nd.round(x)
nd.round(d)
nd.erf(f)
nd.erfinv(s * 0.9)
nd.gamma(p)
nd.gamma(f)
nd.gammaln(p)
nd.relu(x)
nd.sigmoid(f)
nd.softsign(f)
nd.softsign(x + nd.array([0, float('inf'), -float('inf'), 0, 0, 0, 0, 0]))
nd.Activation(x + nd.array([0, float('inf'), -float('inf'), 0, 0, 0, 0, 0]), 'softsign')
nd.round(x + nd.array([0, float('inf'), -float('inf'), 0, 0, 0, 0, 0]))
nd.cbrt(x)
nd.rcbrt(x)
nd.gamma(nd.array([0, -1, -2, -0.5, 171, float('inf'), -float('inf')]))
nd.erfinv(i)
nd.erfinv(i.astype('int64') - 2)
nd.softsign(i)
nd.hard_sigmoid(x)
nd.hard_sigmoid(f, alpha=0.5, beta=0.25)
nd.clip(x, 0, 1)
nd.clip(i, 1.5, 2.5)
nd.clip(data=f, a_min=-0.5, a_max=0.5)
nd.identity(f)
nd.BlockGrad(f) * f
nd.stop_gradient(f) * f
nd.make_loss(f)
nd.make_loss(f) * 3
nd.MakeLoss(f, grad_scale=2) * 3
nd.MakeLoss(f, normalization='batch')
nd.MakeLoss(v, normalization='batch')
nd.MakeLoss(g, normalization='batch', grad_scale=0.5)
nd.MakeLoss(f, normalization='valid', valid_thresh=0.1)
nd.zeros_like(f)
nd.ones_like(i)
f.zeros_like()
f.ones_like()
g.shape_array()
g.size_array()
nd.cast(x, 'int32')
nd.Cast(f, dtype='float16')
nd.cast(i, dtype='uint8')
nd.amp_cast(f, dtype='float16')
nd.amp_cast(i, dtype='float16')
nd.shape_array(g)
nd.size_array(g)
nd.contrib.arange_like(f)
nd.contrib.arange_like(f, axis=1, start=2, step=3)
nd.contrib.arange_like(f, repeat=2)
nd.contrib.quadratic(f, a=1, b=2, c=3)
nd.contrib.div_sqrt_dim(f)
nd.smooth_l1(f)
nd.smooth_l1(x, scalar=2)
f.exp()
f.abs()
x.round()
f.relu()
f.clip(-1, 1)
f.sigmoid()
f.square()
p.log()
p.sqrt()
x.sign()
"""

REDUCTION = """
nd.sum(f)
nd.sum(g, axis=1)
nd.sum(g, axis=(0, 2))
nd.sum(g, axis=-1, keepdims=True)
nd.sum(g, axis=1, exclude=True)
nd.sum(i)
nd.sum(u8)
nd.sum(g, axis=())
nd.sum_axis(f, axis=0)
nd.mean(f)
nd.mean(g, axis=(0, 1))
nd.mean(g, axis=0, exclude=True, keepdims=True)
nd.mean(i, axis=1)
nd.prod(p)
nd.prod(p, axis=1)
nd.prod(g, axis=(0, 2), keepdims=True)
nd.prod(i, axis=0)
nd.nansum(nf)
nd.nansum(nf, axis=0)
nd.nanprod(nf, axis=1)
nd.max(f)
nd.max(t, axis=0)
nd.max(g, axis=(0, 2))
nd.max(g, axis=1, exclude=True)
nd.max_axis(i, axis=1)
nd.min(f, axis=1, keepdims=True)
nd.min(t)
nd.min_axis(f, axis=0)
nd.norm(f)
nd.norm(f, axis=1)
nd.norm(g, ord=1, axis=2, keepdims=True)
nd.norm(f, ord=1)
nd.norm(g, axis=(1, 2))
nd.norm(g, ord=1, axis=(0, 1))
nd.norm(g, ord=1, axis=(2, 0), keepdims=True)
nd.norm(g, ord=1, axis=(0, 1, 2))
nd.argmax(f)
nd.argmax(f, axis=1)
nd.argmax(f, axis=1, keepdims=True)
nd.argmax(t, axis=0)
nd.argmax(d, axis=1)
nd.argmax(i, axis=1)
nd.argmin(f, axis=0)
nd.argmin(f)
nd.argmax_channel(f)
nd.moments(f, axes=(0,))
nd.moments(g, axes=(1, 2), keepdims=True)
nd.multi_sum_sq(f, p, num_arrays=2)
nd.cumsum(f)
nd.cumsum(f, axis=1)
nd.cumsum(i, axis=0)
nd.cumsum(f, axis=0, dtype='float64')
nd.histogram(f, bins=4, range=(-2, 2))
nd.histogram(f, bins=5)
nd.histogram(f, bins=nd.array([-2, -0.5, 0.5, 2]))
f.sum()
f.sum(1)
f.sum(axis=0, keepdims=True)
f.mean(axis=1)
f.max()
f.min(axis=0)
f.argmax(axis=1)
f.argmin(axis=1)
f.norm()
f.prod(axis=0)
nf.nansum()
"""

SHAPE = """
nd.reshape(g, shape=(4, 0, 2))
nd.reshape(g, shape=(-1,))
nd.reshape(g, shape=(0, -1))
nd.reshape(g, shape=(-2,))
nd.reshape(g, shape=(2, -2))
nd.reshape(g, shape=(-3, 4))
nd.reshape(g, shape=(0, -3))
nd.reshape(g, shape=(-4, 1, 2, -2))
nd.reshape(g, shape=(2, -4, -1, 3, -2))
nd.reshape(g, shape=(-4, -1, 2, 0, 0))
nd.reshape(g, shape=(-1, 0), reverse=True)
nd.reshape(g, shape=(0, -3), reverse=True)
nd.Reshape(g, shape=(6, 4))
g.reshape(6, 4)
g.reshape((0, -1))
g.reshape(shape=(-3, 0))
g.reshape(-1)
nd.reshape_like(g, nd.zeros((6, 4)))
nd.reshape_like(g, nd.zeros((6, 9)), lhs_begin=0, lhs_end=2, rhs_begin=0, rhs_end=1)
g.reshape_like(nd.zeros((6, 4)))
nd.flatten(g)
nd.Flatten(v)
g.flatten()
nd.transpose(f)
nd.transpose(g, axes=(1, 0, 2))
g.transpose((2, 0, 1))
f.T
nd.swapaxes(g, 0, 2)
nd.SwapAxis(g, dim1=1, dim2=2)
g.swapaxes(0, 1)
nd.moveaxis(g, 0, 2)
nd.expand_dims(f, axis=1)
f.expand_dims(-1)
f.expand_dims(axis=0, inplace=True)
nd.squeeze(nd.expand_dims(f, axis=0))
nd.squeeze(nd.expand_dims(f, axis=0), axis=0)
f.expand_dims(0).squeeze(axis=0)
nd.flip(f, axis=0)
nd.flip(g, axis=(0, 2))
nd.reverse(f, axis=1)
f.flip(axis=1)
nd.concat(f, p)
nd.concat(f, p, dim=0)
nd.Concat(f, p, dim=-1)
nd.concat(g, g, g, dim=2, num_args=3)
nd.concatenate([f, p])
nd.concatenate([f, p], axis=1)
nd.stack(f, p)
nd.stack(f, p, axis=-1)
nd.split(f, num_outputs=2)
nd.split(f, 4, axis=1, squeeze_axis=True)
nd.split(f, 1)
nd.SliceChannel(g, num_outputs=3, axis=1)
f.split(3, axis=0)
nd.split_v2(f, 2, axis=1)
nd.split_v2(f, (1, 3), axis=1)
nd.split_v2(g, 3, axis=1, squeeze_axis=True)
f.split_v2(3)
nd.slice(f, begin=(0, 1), end=(2, 3))
nd.slice(f, begin=(None, 1), end=(None, None))
nd.slice(f, begin=(1,), end=(3,))
nd.slice(f, begin=(None, 3), end=(None, None), step=(1, -2))
nd.slice(f, begin=(0, -2), end=(9, -1))
nd.crop(f, begin=(0, 1), end=(1, 3))
f.slice(begin=(1, 1), end=(3, 4))
nd.slice_axis(f, axis=1, begin=1, end=None)
nd.slice_axis(g, axis=-1, begin=-3, end=-1)
f.slice_axis(axis=0, begin=0, end=2)
nd.slice_like(f, nd.zeros((2, 3)))
nd.slice_like(f, nd.zeros((2, 9, 9)), axes=(0,))
f.slice_like(nd.zeros((2, 2)))
nd.tile(f, reps=(2, 1))
nd.tile(v, (2, 2, 1))
nd.tile(f, 2)
f.tile(reps=(1, 2))
nd.repeat(f, repeats=2)
nd.repeat(f, repeats=2, axis=1)
f.repeat(2, axis=-1)
nd.broadcast_to(c, shape=(3, 4))
nd.broadcast_to(c, shape=(0, 4))
c.broadcast_to((3, 4))
v.broadcast_to((2, 4))
nd.broadcast_axis(c, axis=1, size=2)
nd.broadcast_axes(c, axis=(1,), size=(2,))
c.broadcast_axes(axis=1, size=3)
nd.broadcast_like(c, f)
nd.broadcast_like(c, nd.zeros((5, 7)), lhs_axes=(1,), rhs_axes=(0,))
c.broadcast_like(f)
nd.depth_to_space(g8, 2)
nd.space_to_depth(g8, 2)
nd.diag(v)
nd.diag(f)
nd.diag(f, k=1)
nd.diag(f, k=-1)
nd.diag(g)
nd.diag(g, axis1=1, axis2=2)
nd.diag(v, k=-1)
f.diag()
"""

INDEX = """
nd.take(f, nd.array([0, 2, 2]))
nd.take(f, nd.array([[0, 9], [-1, 1]]), axis=1)
nd.take(f, nd.array([5, -1]), mode='wrap')
nd.take(g, nd.array([1, 0]), axis=-2)
nd.take(v, nd.array([1.9, 3.2]))
f.take(nd.array([1, 1], dtype='int32'))
nd.batch_take(f, nd.array([0, 3, 1], dtype='int32'))
nd.pick(f, nd.array([0, 3, 1]))
nd.pick(f, nd.array([0, 1, 2, 1]), axis=0)
nd.pick(f, nd.array([0, 3, 1]), keepdims=True)
nd.pick(f, nd.array([[0], [3], [1]]), keepdims=True)
nd.pick(f, nd.array([0, 7, -2]))
nd.pick(f, nd.array([0, 7, -2]), mode='wrap')
nd.pick(g, nd.array([[0, 1, 2], [3, 2, 1]]), axis=2)
nd.choose_element_0index(f, nd.array([1, 2, 3]))
nd.fill_element_0index(f, nd.array([7, 8, 9]), nd.array([1, 2, 3]))
f.pick(nd.array([0, 3, 1]), axis=1)
nd.one_hot(nd.array([0, 2, 5, -1]), 3)
nd.one_hot(nd.array([[0, 1], [2, 0]]), depth=3, on_value=5, off_value=-1)
nd.one_hot(nd.array([1.7]), depth=3, dtype='int32')
nd.array([1, 0]).one_hot(depth=2)
nd.gather_nd(f, nd.array([[0, 2], [3, 1]]))
nd.gather_nd(g, nd.array([[0, 1, 1]]))
nd.gather_nd(f, nd.array([[[0, 2]], [[3, 1]]]))
nd.scatter_nd(v, nd.array([[0, 2, 1, 0], [3, 1, 0, 0]]), shape=(3, 4))
nd.scatter_nd(f, nd.array([[2, 0, 1]]), shape=(4, 4))
nd.where(t - 1, f[0], v)
nd.where(f > 0, f, p)
nd.where(nd.array([1, 0, 1]), f, p)
nd.contrib.boolean_mask(f, nd.array([1, 0, 1]))
nd.contrib.index_copy(f, nd.array([2, 0], dtype='int64'), p[0:2])
nd.contrib.RROIAlign(g.expand_dims(0), nd.array([[0, 2, 2, 2, 3, 30]]), (2, 2), 1.0)
nd.contrib.hawkesll(p, p[0], p[1], p, p, (p > 1).astype('int32'), p[:, 0] + 2, p[:, 0] + 9)
nd.contrib.index_array(f)
nd.contrib.index_array(g, axes=(2, 0))
nd.sort(f)
nd.sort(f, axis=0, is_ascend=False)
nd.sort(f, axis=None)
f.sort()
nd.argsort(f)
nd.argsort(f, axis=0, is_ascend=False, dtype='int32')
f.argsort(axis=1)
nd.topk(f)
nd.topk(f, k=2, ret_typ='value')
nd.topk(f, k=2, ret_typ='both', axis=0)
nd.topk(f, k=3, ret_typ='mask')
nd.topk(f, k=2, is_ascend=True, dtype='int64')
nd.topk(f, axis=None, k=5)
nd.topk(f, k=0, ret_typ='value')
nd.topk(tt, k=2)
nd.topk(i, k=2, is_ascend=True)
nd.topk(i, k=3, axis=0, ret_typ='mask')
nd.topk(i, axis=None, k=1)
f.topk(k=2)
nd.unravel_index(nd.array([0, 5, 11]), shape=(3, 4))
nd.unravel_index(nd.array([[0, 5], [11, 2]], dtype='int64'), shape=(2, 2, 3))
nd.ravel_multi_index(nd.array([[0, 1, 2], [3, 0, 1]]), shape=(3, 4))
nd.SequenceMask(f)
nd.SequenceMask(f, nd.array([1, 3, 2, 0]), use_sequence_length=True)
nd.SequenceMask(g, nd.array([1, 2]), use_sequence_length=True, value=-1, axis=1)
nd.SequenceLast(f)
nd.SequenceLast(g, nd.array([1, 2, 2]), use_sequence_length=True)
nd.SequenceLast(g, nd.array([1, 3]), use_sequence_length=True, axis=1)
nd.SequenceReverse(f)
nd.SequenceReverse(f, nd.array([1, 3, 2, 2]), use_sequence_length=True)
nd.SequenceReverse(g, nd.array([2, 1, 2]), use_sequence_length=True)
"""

MATRIX = """
nd.dot(f, q)
nd.dot(f, p, transpose_b=True)
nd.dot(f, p, transpose_a=True)
nd.dot(f, v)
nd.dot(v, v)
nd.dot(g, q)
nd.dot(g, g, transpose_a=True)
nd.dot(f, g, transpose_b=True)
nd.batch_dot(g, g, transpose_b=True)
nd.batch_dot(g, g, transpose_a=True)
nd.batch_dot(g, nd.transpose(g, axes=(0, 2, 1)))
nd.khatri_rao(f, p)
nd.linalg.gemm(f, q, p)
nd.linalg.gemm(f, p, q, transpose_a=True, alpha=2, beta=0.5)
nd.linalg_gemm2(f, q)
nd.linalg_gemm2(f, p, transpose_b=True, alpha=3)
nd.linalg_gemm2(g, g, transpose_a=True)
nd.linalg_gemm2(gg, gg, transpose_b=True, axis=-3)
nd.linalg.potrf(spd)
nd.linalg_potri(nd.linalg_potrf(spd))
nd.linalg.trmm(lo, f, rightside=True)
nd.linalg.trmm(lo, q, transpose=True, alpha=2)
nd.linalg.trmm(lo.T, q, lower=False)
nd.linalg.trsm(lo, q)
nd.linalg_trsm(lo, f, rightside=True, transpose=True)
nd.linalg.trsm(lo.T, q, lower=False, alpha=0.5)
nd.linalg.syrk(f)
nd.linalg.syrk(f, transpose=True, alpha=2)
nd.linalg.gelqf(f)
nd.linalg.syevd(spd)[1]
nd.linalg.syevd(spd)[0]
nd.linalg.syevd(g4 + g4.transpose((0, 2, 1)))
nd.linalg.sumlogdiag(spd)
nd.linalg_extractdiag(g4)
nd.linalg.extractdiag(q, offset=1)
nd.linalg.makediag(v)
nd.linalg.makediag(f, offset=-1)
nd.linalg.extracttrian(q)
nd.linalg.extracttrian(g4, offset=1)
nd.linalg.extracttrian(q, lower=False)
nd.linalg.maketrian(v6)
nd.linalg.maketrian(v6, offset=-1)
nd.linalg.maketrian(v6, lower=False)
nd.linalg.det(g4)
nd.linalg.det(spd)
nd.linalg.slogdet(g4)
nd.linalg.inverse(spd)
nd.linalg_inverse(g4)
"""

CREATION = """
nd.zeros((2, 3))
nd.zeros(3, dtype='int32')
nd.zeros(shape=(2,), ctx=mx.cpu(1))
nd.ones((2, 3), dtype='float64')
nd.full((2, 2), 7)
nd.full(shape=(2,), val=1.5, dtype='int32')
nd.full((2,), [1, 2])
nd.arange(5)
nd.arange(1, 3, 0.5)
nd.arange(5, 0, -2)
nd.arange(0, 3, repeat=2)
nd.arange(4, dtype='int32')
nd.linspace(0, 1, 5)
nd.linspace(0, 1, 5, endpoint=False)
nd.linspace(3, 9, 1)
nd.eye(3)
nd.eye(2, 3, 1)
nd.eye(3, k=-1, dtype='int32')
nd.array([1, 2, 3])
nd.array([[1, 2], [3, 4]], dtype='int32')
nd.array(onp.arange(3))
nd.array(i)
nd.array([])
nd.from_numpy(onp.arange(3))
nd.onehot_encode(nd.array([1, 0]), nd.zeros((2, 3)))
"""

# Calls whose values MXNet does not fix, or that its CPU build refuses: shape and dtype alone.
SHAPED = {
    "nd.amp_multicast(f, h, num_outputs=2)[1]": ((3, 4), "float32"),
    "nd.amp_multicast(f, h, num_outputs=2, cast_narrow=True)[0]": ((3, 4), "float16"),
    "nd.cast_storage(f, 'default')": ((3, 4), "float32"),
    "nd.empty((2, 3), dtype='int32')": ((2, 3), "int32"),
    "nd.contrib.BatchNormWithReLU(g, *[nd.ones((3,)) for _ in range(4)])": ((2, 3, 4), "float32"),
    "nd.image.flip_left_right(g)": ((2, 3, 4), "float32"),
    "nd.image.flip_top_bottom(g)": ((2, 3, 4), "float32"),
    "nd.random_gamma(shape=(2, 3))": ((2, 3), "float32"),
    "nd.random_poisson(shape=(2, 3))": ((2, 3), "float32"),
    "nd.random_negative_binomial(k=3, p=0.5, shape=(2,))": ((2,), "float32"),
    "nd.random_generalized_negative_binomial(shape=(2,))": ((2,), "float32"),
    "nd.random_randint(0, 9, shape=(2,))": ((2,), "int32"),
    "nd.sample_normal(t, tt, shape=2)": ((4, 2), "float32"),
    "nd.sample_exponential(t, shape=2)": ((4, 2), "float32"),
    "nd.sample_gamma(t, tt, shape=2)": ((4, 2), "float32"),
    "nd.sample_poisson(t, shape=2)": ((4, 2), "float32"),
    "nd.sample_negative_binomial(t, s.abs(), shape=2)": ((4, 2), "float32"),
    "nd.sample_generalized_negative_binomial(t, tt, shape=2)": ((4, 2), "float32"),
    "nd.random.negative_binomial_like(f, k=3, p=0.5)": ((3, 4), "float32"),
    "nd.random.generalized_negative_binomial_like(f)": ((3, 4), "float32"),
}

GRAPHS = """
nd.Crop(g8, h_w=(2, 3), offset=(0, 1), num_args=1)
nd.Crop(g8, h_w=(1, 2), center_crop=True, num_args=1)
nd.Crop(gg, nd.zeros((1, 1, 1, 3)), num_args=2)
nd.Crop(gg, nd.zeros((1, 1, 2, 2)), num_args=2, center_crop=True)
nd.im2col(g8, kernel=(2, 2))
nd.im2col(g8, kernel=(2, 3), stride=(1, 2), dilate=(2, 1), pad=(1, 2))
nd.col2im(g4, output_size=(3, 3), kernel=(2, 2))
nd.col2im(nd.im2col(g8, kernel=(2, 3), pad=(1, 1)), output_size=(2, 4), kernel=(2, 3), pad=(1, 1))
nd.contrib.round_ste(x)
nd.contrib.sign_ste(x)
nd.contrib.interleaved_matmul_selfatt_qk(g.reshape((2, 1, 12)), heads=2)
nd.contrib.interleaved_matmul_selfatt_valatt(g.reshape((2, 1, 12)), g4[:, :2, :2], heads=2)
nd.contrib.interleaved_matmul_encdec_qk(f.reshape((3, 1, 4)), g.reshape((3, 1, 8)), heads=2)
nd.contrib.interleaved_matmul_encdec_valatt(g.reshape((3, 1, 8)), g4[:, :2, :3], heads=2)
nd.random_pdf_uniform(p, nd.array([0, -1, 0.5]), nd.array([2, 3, 4]))
nd.random_pdf_uniform(p, t[0:3] - 4, t[0:3], is_log=True)
nd.random_pdf_normal(f, nd.array([0, -1, 0.5]), nd.array([2, 3, 0.4]))
nd.random_pdf_normal(f, v[0:3], v[0:3] ** 2, is_log=True)
nd.random_pdf_gamma(p, nd.array([1, 2, 0.5]), nd.array([2, 3, 0.4]))
nd.random_pdf_gamma(p, t[0:3], t[1:4], is_log=True)
nd.random_pdf_exponential(p, nd.array([1, 2, 0.5]))
nd.random_pdf_exponential(p, t[0:3], is_log=True)
nd.random_pdf_poisson(i.astype('float32'), nd.array([1, 2, 0.5]))
nd.random_pdf_poisson(i.astype('float32'), t[0:3], is_log=True)
nd.random_pdf_poisson(p, p[0:3, 0])
nd.random_pdf_negative_binomial(p, p[0:3, 0], nd.array([0.2, 0.5, 0.7]))
nd.random_pdf_generalized_negative_binomial(p, p[0:3, 0], nd.array([0.2, 0.5, 0.7]))
nd.random_pdf_negative_binomial(i.astype('float32'), nd.array([1, 2, 3]), nd.array([0.2, 0.5, 0.7]))
nd.random_pdf_negative_binomial(i.astype('float32'), t[0:3], t[1:4] / 4, is_log=True)
nd.random_pdf_generalized_negative_binomial(i.astype('float32'), t[0:3], t[1:4] / 4)
nd.random_pdf_generalized_negative_binomial(i.astype('float32'), t[0:3], t[1:4] / 4, is_log=True)
nd.random_pdf_dirichlet(p.reshape((3, 2, 2)), nd.array([[1, 2], [3, 2], [0.5, 4]]))
nd.random_pdf_dirichlet(p.reshape((3, 2, 2)), f[:, :2] ** 2 + 1, is_log=True)
nd.contrib.SparseEmbedding(t, f, input_dim=3, output_dim=4)
nd.Convolution_v1(g8, nd.ones((3, 4, 2, 2)), nd.ones((3,)), kernel=(2, 2), num_filter=3)
nd.Pooling_v1(g8, kernel=(2, 2), stride=(1, 1), pool_type='avg')
nd._internal._grad_add(f, p)
nd._internal._identity_with_attr_like_rhs(f, p)
nd._internal._onehot_encode(t[0:3], f)
nd._internal._rnn_param_concat(v, t, dim=0, num_args=2)
nd._internal._scatter_elemwise_div(f, p)
nd._internal._slice_assign(f, c.broadcast_to((3, 2)), begin=(0, 1), end=(3, 3))
nd._internal._slice_assign(f, g4[0, :2, :2], (0, None), (2, None), (1, 2))
nd._internal._slice_assign_scalar(f, scalar=7, begin=(0, 1), end=(2, 3))
nd._internal._split_v2(v6, indices=(0, 2, 3), axis=0)
nd._internal._split_v2(f, indices=(), axis=1, sections=2)
nd._internal._split_v2(f, indices=(0, 1, 2), axis=0, squeeze_axis=True)
nd._internal._histogram(f, bin_cnt=3, range=(-1, 1))
nd._internal._linspace(start=0, stop=1, num=3)
nd._internal._full(shape=(2,), value=3, dtype='int32')
nd._internal._arange(start=0, stop=3, repeat=2, dtype='int32')
"""

FAMILIES = {
    "arithmetic": ARITHMETIC,
    "comparison": COMPARISON,
    "elementwise": ELEMENTWISE,
    "reduction": REDUCTION,
    "shape": SHAPE,
    "index": INDEX,
    "matrix": MATRIX,
    "creation": CREATION,
    "graphs": GRAPHS,
}
DIFFERENTIABLE = ("f", "p", "g", "v", "c", "x", "t", "tt", "q", "s", "spd", "lo", "g4", "v6", "g8")


def rows(family: str) -> list[str]:
    """Return the expressions of a family."""
    return FAMILIES[family].strip().splitlines()


def data() -> dict[str, onp.ndarray]:
    """Return the arrays that the expressions speak of."""
    draw = onp.random.RandomState(3)
    f = draw.normal(size=(3, 4)).astype("float32")
    q = draw.normal(size=(4, 4)).astype("float32")
    nf = f.copy()
    nf[0, 1] = onp.nan
    nf[1, 2] = onp.inf
    return {
        "f": f,
        "p": draw.uniform(0.5, 2, size=(3, 4)).astype("float32"),
        "g": draw.normal(size=(2, 3, 4)).astype("float32"),
        "gg": draw.normal(size=(2, 3, 2, 4)).astype("float32"),
        "v": draw.normal(size=(4,)).astype("float32"),
        "c": draw.normal(size=(3, 1)).astype("float32"),
        "x": onp.array([-1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2.5], dtype="float32"),
        "t": onp.array([1, 2, 2, 3], dtype="float32"),
        "tt": onp.array([1, 3, 2, 1], dtype="float32"),
        "s": onp.array([-0.9, -0.5, 0.25, 0.8], dtype="float32"),
        "q": q,
        "spd": (q @ q.T + 3 * onp.eye(4)).astype("float32"),
        "lo": (onp.tril(q) + 3 * onp.eye(4)).astype("float32"),
        "g4": draw.normal(size=(2, 4, 4)).astype("float32"),
        "v6": draw.normal(size=(6,)).astype("float32"),
        "g8": draw.normal(size=(1, 4, 2, 4)).astype("float32"),
        "nf": nf,
        "d": draw.normal(size=(3, 4)),
        "h": draw.normal(size=(3, 4)).astype("float16"),
        "i": draw.randint(0, 5, size=(3, 4)).astype("int32"),
        "u8": draw.randint(100, 250, size=(5,)).astype("uint8"),
    }


def weights(shape: tuple[int, ...]) -> onp.ndarray:
    """Return fixed head gradients for a result of this shape."""
    size = int(onp.prod(shape))
    return (onp.arange(size) % 5 - 1.5).reshape(shape).astype("float32")


# Rows that MXNet 1.9.1 gets wrong, with what it does.
MISTAKEN_RESULTS = {
    "nd.nansum(nf)": "makes NaN of infinity in its compensated sum",
    "nd.nansum(nf, axis=0)": "makes NaN of infinity in its compensated sum",
    "nf.nansum()": "makes NaN of infinity in its compensated sum",
    "nd.unravel_index(nd.array([[0, 5], [11, 2]], dtype='int64'), shape=(2, 2, 3))": (
        "drops all rows of positions but the first"
    ),
}
MISTAKEN_GRADIENTS = {"nd.modulo(f, 0)": "is 1 although the result is 0 everywhere"}
