"""A tour of the operators that change shapes."""

import gluonish as mx
from gluonish import nd

mx.random.seed(12)

x = nd.arange(24)
cube = x.reshape((2, 3, 4))
flat = cube.reshape((0, -1))
merged = nd.reshape(cube, shape=(-3, 0))
swapped = nd.transpose(cube, axes=(2, 0, 1))
print(flat.shape, merged.shape, swapped.shape, cube.T.shape)

left, right = nd.split(cube, num_outputs=2, axis=2)
joined = nd.concat(left, right, dim=2)
piled = nd.stack(left, right, axis=0)
rows = nd.split(cube, num_outputs=3, axis=1, squeeze_axis=True)
part = nd.slice(cube, begin=(0, 1, 0), end=(2, 3, 4), step=(1, 1, 2))
column = cube.slice_axis(axis=1, begin=0, end=1)

shape_list = [a.shape for a in (joined, piled, rows[0], part, column)]
print(shape_list)

tall = nd.expand_dims(nd.array([1, 2, 3]), axis=1)
wide = nd.tile(tall, reps=(1, 4)) + nd.zeros_like(cube[0])
bigger = nd.broadcast_to(tall, shape=(3, 4))
padded = nd.pad(
    cube.expand_dims(0), mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 2, 2), constant_value=-1
)
checks = [
    (joined == cube).min(),
    (wide == bigger).min(),
    (nd.flip(nd.flip(x, axis=0), axis=0) == x).min(),
]
print(padded.shape, nd.squeeze(column).shape, [int(c.asscalar()) for c in checks])
