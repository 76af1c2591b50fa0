# prints: (2, 10) True
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()
net = nn.HybridSequential()
net.add(nn.Dense(256, activation="relu"), nn.Dense(10))
net.initialize(init.Xavier())
net.hybridize()
X = np.random.uniform(size=(2, 20))
y = net(X)
print(y.shape, isinstance(y, np.ndarray))
npx.reset_np()
