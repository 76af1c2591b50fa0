# prints: [6. 8.] [1. 1.]
import mxnet as mx

a, b = mx.symbol.Variable("a"), mx.symbol.Variable("b")
c = a + b
ex = c.bind(
    ctx=mx.cpu(),
    args={"a": mx.nd.array([1, 2]), "b": mx.nd.array([5, 6])},
    args_grad={"a": mx.nd.zeros(2), "b": mx.nd.zeros(2)},
)
ex.forward(is_train=True)
ex.backward(mx.nd.ones(2))
print(ex.outputs[0].asnumpy(), ex.grad_dict["a"].asnumpy())
