# prints: (3,) True 5
from mxnet import *
from mxnet.ndarray import *
from mxnet.gluon.nn import *

net = HybridSequential()
net.add(Dense(5))
net.initialize(init.Normal(0.1), ctx=cpu())
print(zeros(3).shape, isinstance(ones((2, 3)), NDArray), net(ones((1, 2))).shape[1])
