# prints: (40, 2)
import mxnet as mx
import numpy as np

net = mx.symbol.SoftmaxOutput(
    mx.symbol.FullyConnected(mx.symbol.Variable("data"), num_hidden=2, name="fc"), name="softmax"
)
x = np.random.rand(40, 3).astype("float32")
y = (x[:, 0] > 0.5).astype("float32")
model = mx.model.FeedForward(
    symbol=net, ctx=mx.cpu(), num_epoch=2, learning_rate=0.1, numpy_batch_size=10
)
model.fit(X=x, y=y)
print(model.predict(x).shape)
