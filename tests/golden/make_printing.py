"""Ask the real MXNet 1.9.1 how arrays, contexts and blocks are printed.

Run from the repository's root under a Python that has MXNet 1.9.1; writes printing.json.
"""

from __future__ import annotations

import itertools

import make_facts

DTYPES = ["int8", "uint8", "int32", "int64", "float16", "float32", "float64", "bool"]
WAYS = ["repr(x)", "str(x)", "f'{x}'", "[x, x]", "'%s' % x"]

VALUES = [
    "[1, 2, 3]",
    "[[1, 2], [3, 4]]",
    "[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]",
    "[5]",
    "[[5]]",
    "[0.1, 0.2, 1 / 3]",
    "[1e-8, 1.0]",
    "[1e10, 1.0]",
    "[123456.789, 0.001]",
    "[1.0, float('nan'), float('inf'), -float('inf')]",
    "[-1.5, 2.25, -0.0]",
    "[1e-30]",
    "[100000000.0]",
    "[16777217.0, 1.0]",
]

LARGE = [
    "onp.arange(1001)",
    "onp.arange(1000)",
    "onp.arange(1200).reshape(30, 40)",
    "onp.arange(900).reshape(30, 30) / 7",
    "onp.zeros((50, 50))",
    "onp.arange(6000).reshape(10, 20, 30)",
    "onp.arange(40) / 3",
    "onp.arange(40)",
    "onp.arange(2000).reshape(2000, 1)",
    "onp.arange(2000).reshape(1, 2000)",
]

NUMPY_ONLY = [
    "np.array(3.5)",
    "np.array(3, dtype='int32')",
    "np.array(True, dtype='bool')",
    "np.zeros(0)",
    "np.zeros((0, 3))",
    "np.zeros((2, 0), dtype='int64')",
    "np.zeros((0,), dtype='bool')",
    "np.ones((2, 2)).sum()",
    "np.array(2.5, ctx=mx.cpu(1))",
    "np.array([2.5], ctx=mx.cpu(1))",
    "np.zeros((0, 3), ctx=mx.cpu(2))",
    "np.array([1, 2], dtype='int32', ctx=mx.cpu(1))",
    "np.array([1., 2.]) > 1",
    "{'a': np.array([1.])}",
    "(np.array(1.), np.array([2.]))",
    "np.float32, np.int32, np.pi, np.inf, np.nan, np.newaxis",
    "np.array([1., 2.]).dtype, np.array([1., 2.]).shape",
    "'{}'.format(np.array(2.))",
    "'{:.3f}'.format(np.array(2.))",
    "f'{np.array(2.):.3f}'",
    "f'{float(np.array(2.)):.3f}'",
    "'%.3f' % np.array(2.)",
    "'%d' % np.array(2.)",
    "print(np.array([1., 2.]), np.array(3.))",
    "print([np.array([1., 2.])])",
]

ND_ONLY = [
    "nd.ones((2, 3)).sum()",
    "nd.array([1, 2], ctx=mx.cpu(1))",
    "nd.ones((2, 3, 4)).shape",
    "nd.array([1., 2.]) > 1",
    "print(nd.array([1., 2.]))",
    "print(nd.array([[1, 2]]), nd.array([3]))",
    "{'a': nd.array([1.])}",
    "nd.array([1., 2.]).dtype",
    "f'{nd.array([2.]).asscalar():.3f}'",
    "f'{nd.array([2.]):.3f}'",
    "nd.array([1., 2.]).T",
    "nd.ones((1, 1, 1))",
]

SHARED = [
    "mx.cpu(), mx.cpu(1), mx.gpu(), mx.gpu(2), mx.cpu_pinned()",
    "str(mx.cpu()), repr(mx.gpu(1))",
    "mx.Context('cpu', 2)",
    "mx.current_context()",
    "mx.nd.NDArray.__name__, mx.np.ndarray.__name__",
]

BLOCKS = [
    "gluon.nn.Dense(3)",
    "gluon.nn.Dense(3, in_units=2, activation='relu')",
    "gluon.nn.Dense(3, flatten=False, use_bias=False)",
    "gluon.nn.Dropout(0.5)",
    "gluon.nn.Dropout(0.5, axes=(1,))",
    "gluon.nn.Embedding(10, 3)",
    "gluon.nn.BatchNorm()",
    "gluon.nn.BatchNorm(in_channels=4, scale=False)",
    "gluon.nn.LayerNorm()",
    "gluon.nn.LayerNorm(in_channels=4)",
    "gluon.nn.GroupNorm(2)",
    "gluon.nn.InstanceNorm()",
    "gluon.nn.Flatten()",
    "gluon.nn.Lambda('tanh')",
    "gluon.nn.HybridLambda('tanh')",
    "gluon.nn.Lambda(lambda x: x)",
    "gluon.nn.HybridLambda(lambda F, x: x)",
    "gluon.nn.Activation('relu')",
    "gluon.nn.LeakyReLU(0.1)",
    "gluon.nn.PReLU()",
    "gluon.nn.ELU()",
    "gluon.nn.SELU()",
    "gluon.nn.GELU()",
    "gluon.nn.Swish()",
    "gluon.nn.Conv1D(4, 3)",
    "gluon.nn.Conv2D(4, 3)",
    "gluon.nn.Conv2D(4, (3, 5), (2, 1), (1, 1), 2, activation='relu', use_bias=False)",
    "gluon.nn.Conv2D(4, 3, groups=2, in_channels=4)",
    "gluon.nn.Conv3D(4, 3)",
    "gluon.nn.Conv1DTranspose(4, 3)",
    "gluon.nn.Conv2DTranspose(4, 3, output_padding=1, strides=2)",
    "gluon.nn.Conv3DTranspose(4, 3)",
    "gluon.nn.MaxPool1D()",
    "gluon.nn.MaxPool2D((3, 2), 1, 1, ceil_mode=True)",
    "gluon.nn.MaxPool3D()",
    "gluon.nn.AvgPool1D()",
    "gluon.nn.AvgPool2D(2, count_include_pad=False)",
    "gluon.nn.AvgPool3D()",
    "gluon.nn.GlobalMaxPool1D(), gluon.nn.GlobalMaxPool2D(), gluon.nn.GlobalMaxPool3D()",
    "gluon.nn.GlobalAvgPool1D(), gluon.nn.GlobalAvgPool2D(), gluon.nn.GlobalAvgPool3D()",
    "gluon.nn.ReflectionPad2D(2)",
    "gluon.nn.Sequential()",
    "gluon.nn.HybridSequential()",
    "net = gluon.nn.Sequential()\nnet.add(gluon.nn.Dense(2), gluon.nn.Flatten())\nnet",
    "net = gluon.nn.Sequential()\nnet.add(gluon.nn.HybridSequential(), gluon.nn.Dense(2))\nnet",
    "gluon.loss.L2Loss()",
    "gluon.loss.SoftmaxCrossEntropyLoss()",
    "gluon.loss.SigmoidBCELoss(batch_axis=1, weight=2)",
    "gluon.Parameter('w', shape=(2, 3))",
    "gluon.Parameter('w')",
    "gluon.Parameter('w', shape=(0, 3), dtype='float16')",
    "gluon.Constant('c', [[1, 2], [3, 4]])",
    "gluon.ParameterDict('mine_')",
    "d = gluon.ParameterDict('mine_')\nd.get('a', shape=(2,))\nd.get('b', shape=(3, 0))\nd",
    "gluon.nn.Dense(3, prefix='mine_').params",
    "gluon.nn.Dense(3, prefix='mine_').weight",
    "d = gluon.nn.Dense(3, in_units=2)\nd.initialize()\nprint(d.weight.data())",
]


def main():
    """Write printing.json."""
    groups = {}
    for front in ("nd", "np"):
        rows = [
            (front == "np", f"{front}.array({v}, dtype='{d}')")
            for v, d in itertools.product(VALUES, DTYPES)
            if ("e" not in v and "." not in v and "/" not in v) or "float" in d
        ]
        groups[f"{front} dtypes"] = rows
        ways = [f"x = {front}.array([[1.5, 2], [3, 4]])\n{way}" for way in WAYS]
        groups[f"{front} ways"] = [(front == "np", way) for way in ways]
        large = [
            (front == "np", f"{front}.array({v}, dtype='{d}')")
            for v in LARGE
            for d in ("float32", "int32")
        ]
        groups[f"{front} large"] = large
        groups[f"{front} blocks"] = [(front == "np", program) for program in BLOCKS]
    groups["np only"] = [(True, program) for program in NUMPY_ONLY]
    groups["nd only"] = [(False, program) for program in ND_ONLY]
    groups["contexts"] = [(False, program) for program in SHARED]
    make_facts.write("printing", groups, shown_only=True)


if __name__ == "__main__":
    main()
