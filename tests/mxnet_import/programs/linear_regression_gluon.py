# prints: True
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import data as gdata, loss as gloss, nn

features = nd.random.normal(shape=(200, 2))
labels = nd.dot(features, nd.array([2, -3.4])) + 4.2
data_iter = gdata.DataLoader(gdata.ArrayDataset(features, labels), 10, shuffle=True)
net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Normal(sigma=0.01))
loss = gloss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
for epoch in range(5):
    for X, y in data_iter:
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(10)
print(loss(net(features), labels).mean().asscalar() < 1e-2)
