"""Pictures go through a chain of transforms into a convolutional net."""

import numpy as np

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon.data.vision import transforms

mx.random.seed(23)
np.random.seed(23)

images = nd.random.uniform(0, 255, shape=(24, 20, 20, 3)).astype("uint8")
labels = np.arange(24) % 2
dataset = gluon.data.ArrayDataset(images, labels.astype("float32"))

augment = transforms.Compose(
    [
        transforms.CenterCrop(16),
        transforms.RandomFlipLeftRight(),
        transforms.RandomBrightness(0.2),
        transforms.ToTensor(),
        transforms.Normalize(mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)),
    ]
)
loader = gluon.data.DataLoader(
    dataset.transform_first(augment), batch_size=8, shuffle=True, last_batch="discard"
)

cnn = gluon.nn.HybridSequential()
cnn.add(gluon.nn.Conv2D(4, (3, 3), strides=(2, 2)), gluon.nn.Activation("relu"), gluon.nn.Dense(1))
cnn.initialize()
bce = gluon.loss.SigmoidBCELoss()
trainer = gluon.Trainer(cnn.collect_params(), "adam", {"learning_rate": 1e-3})
total = 0
for img, lbl in loader:
    with autograd.record():
        loss = bce(cnn(img), lbl)
    loss.backward()
    trainer.step(img.shape[0])
    total += loss.mean().asscalar()
print(img.shape, img.dtype.__name__, "%.2f" % (total / len(loader)))
