"""Crop, resize, flip and colour random pictures with mx.image."""

import random

import gluonish as mx
from gluonish import image, nd

mx.random.seed(55)
random.seed(55)

picture = nd.random.uniform(0, 255, shape=(40, 60, 3)).astype("uint8")
small = image.imresize(picture, w=30, h=20)
short = image.resize_short(picture, size=24)
middle, box = image.center_crop(picture, size=(32, 32))
corner = image.fixed_crop(picture, x0=5, y0=10, w=16, h=8)
print(small.shape, short.shape, middle.shape, corner.shape, box)

augmenters = image.CreateAugmenter(
    data_shape=(3, 24, 24),
    resize=28,
    rand_crop=True,
    rand_mirror=True,
    brightness=0.1,
    contrast=0.1,
    mean=True,
    std=True,
)
changed = picture
for augmenter in augmenters:
    changed = augmenter(changed)
print(len(augmenters), changed.shape, changed.dtype.__name__)

chain = image.SequentialAug(
    [
        image.CastAug(),
        image.HorizontalFlipAug(p=1.0),
        image.ColorNormalizeAug(nd.array([127.0] * 3), None),
    ]
)
flipped = chain(picture)
mirrored = nd.flip(picture.astype("float32"), axis=1) - 127
print("mirrored:", nd.abs(flipped - mirrored).max().asscalar() < 1e-4)
