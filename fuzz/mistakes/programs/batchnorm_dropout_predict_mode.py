"""What BatchNorm and Dropout do in training and at test time."""

import gluonish as mx
from gluonish import autograd, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(5)

block = nn.HybridSequential()
block.add(nn.Dense(8), nn.BatchNorm(momentum=0.8), nn.Activation("relu"), nn.Dropout(0.5))
block.add(nn.Dense(3), nn.LayerNorm())
block.initialize()

inputs = np.random.normal(2.0, 3.0, size=(64, 5))
for _ in range(10):
    with autograd.record(train_mode=True):
        out = block(inputs)
    out.backward()

bn = block[1]
print("running mean moved:", bool((np.abs(bn.running_mean.data()) > 0).any()))

once = block(inputs)
again = block(inputs)
with autograd.train_mode():
    noisy = block(inputs)
with autograd.record():
    with autograd.predict_mode():
        calm = block(inputs)
print("predictions agree:", np.allclose(once, again), np.allclose(once, calm, atol=1e-5))
print("dropout at work:", not np.allclose(once, noisy), autograd.is_training())
