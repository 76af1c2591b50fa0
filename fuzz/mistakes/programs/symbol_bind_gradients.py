"""Arithmetic with symbols: bind, evaluate, differentiate and store as JSON."""

import gluonish as mx
from gluonish import nd, sym

mx.random.seed(26)

a = sym.Variable("a")
b = sym.Variable("b")
c = sym.exp(a, name="e") * b + 3
d = sym.sum(sym.square(c), name="total")

a_val = nd.array([0.0, 1.0, -1.0])
b_val = nd.random.uniform(1, 2, shape=(3,))
grads = {"a": nd.zeros(3), "b": nd.zeros(3)}
executor = d.bind(
    ctx=mx.cpu(),
    args={"a": a_val, "b": b_val},
    args_grad=grads,
    grad_req={"a": "write", "b": "add"},
)
for _ in range(2):
    total = executor.forward(is_train=True)[0]
    executor.backward(out_grads=nd.ones(1))

by_hand = 2 * (a_val.exp() * b_val + 3) * a_val.exp()
print("gradient of b, twice:", nd.abs(grads["b"] - 2 * by_hand).max().asscalar() < 1e-3)
print("gradient of a:", nd.abs(grads["a"] - by_hand * b_val).max().asscalar() < 1e-3)

again = sym.load_json(d.tojson())
inner = d.get_internals()["e_output"]
group = sym.Group([inner, sym.broadcast_add(a, b, name="added")])
first, second = group.eval(ctx=mx.cpu(), a=a_val, b=b_val)
print(group.list_outputs(), again.list_arguments(), (second - first).shape)
