"""A small net by the Symbol API, trained on an executor of simple_bind."""

import gluonish as mx

mx.random.seed(15)

data = mx.sym.Variable("data")
label = mx.sym.Variable("softmax_label")
fc1 = mx.sym.FullyConnected(data=data, name="fc1", num_hidden=32)
act1 = mx.sym.Activation(data=fc1, name="relu1", act_type="relu")
fc2 = mx.sym.FullyConnected(data=act1, name="fc2", num_hidden=3)
mlp = mx.sym.SoftmaxOutput(data=fc2, label=label, name="softmax", normalization="batch")

arg_shapes, out_shapes, aux_shapes = mlp.infer_shape(data=(60, 4))
print(dict(zip(mlp.list_arguments(), arg_shapes))["fc1_weight"], out_shapes)

ex = mlp.simple_bind(ctx=mx.cpu(), data=(60, 4), softmax_label=(60,), grad_req="write")
initializer = mx.init.Uniform(0.3)
for name, arr in ex.arg_dict.items():
    if name not in ("data", "softmax_label"):
        initializer(mx.init.InitDesc(name), arr)

X = mx.nd.random.normal(shape=(60, 4))
Y = mx.nd.argmax(X[:, :3], axis=1)
opt = mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.9)
update = mx.optimizer.get_updater(opt)
for step in range(30):
    ex.forward(is_train=True, data=X, softmax_label=Y)
    ex.backward()
    for i, name in enumerate(mlp.list_arguments()):
        if name in ("data", "softmax_label"):
            continue
        update(i, ex.grad_dict[name], ex.arg_dict[name])

output = ex.forward(is_train=False)[0]
right = (output.argmax(axis=1) == Y).mean().asscalar()
print("accuracy above 0.9:", right > 0.9)
