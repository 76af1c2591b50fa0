"""The commonest mistakes, each as a program that makes it: for the page that lists them, and tests.

`python scripts/docs_errors.py` prints the page's part in Markdown.
"""

from __future__ import annotations

import linecache
import logging
import sys
import tempfile
import traceback
from contextlib import chdir
from typing import NamedTuple

from gluonish import errors
from gluonish.errors import MXNetError
from gluonish.name import NameManager

ALL = """\
import numpy as onp
import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
"""

NET = """\
net = nn.HybridSequential()
net.add(nn.Dense(16, activation='relu', in_units=8), nn.Dense(4, in_units=16))
net.initialize()
"""
TRAINER = f"""{NET}trainer = gluon.Trainer(net.collect_params(), 'sgd', {{'learning_rate': 0.1}})
"""


class Mistake(NamedTuple):
    """A program that makes a mistake: title, lines before, the lines that fail, what it is told."""

    title: str
    before: str
    code: str
    told: str


MISTAKES = (
    Mistake("Data of another width", NET, "net(nd.ones((32, 9)))", "9 features per row.*expects 8"),
    Mistake(
        "Layers that do not fit together",
        "",
        "net = nn.HybridSequential()\n"
        "net.add(nn.Dense(64, in_units=8), nn.Dense(10, in_units=32))\n"
        "net.initialize()\nnet(nd.ones((2, 8)))",
        r"64 features per row.*expects 32(.|\n)*in Dense 'dense\d+' \(1\)",
    ),
    Mistake(
        "A picture without its batch axis",
        "net = nn.Conv2D(6, kernel_size=5)\nnet.initialize()",
        "net(nd.ones((1, 28, 28)))",
        r"Expected 4 axes: batch, channels.*x.expand_dims\(0\)",
    ),
    Mistake(
        "Another number of channels",
        "net = nn.Conv2D(6, kernel_size=5, in_channels=3)\nnet.initialize()",
        "net(nd.ones((2, 1, 28, 28)))",
        "has 1 channels.*expects 3",
    ),
    Mistake(
        "initialize() is forgotten",
        "net = nn.Dense(4)",
        "net(nd.ones((2, 8)))",
        r"has not been initialized.*net.initialize\(\)",
    ),
    Mistake(
        "A parameter is read before the first call",
        "net = nn.Dense(4)\nnet.initialize()",
        "net.weight.data()",
        r"initialization was deferred: its shape \(4, 0\) is not known.*one batch",
    ),
    Mistake(
        "Data on another device than the net",
        "net = nn.Dense(4, in_units=8)\nnet.initialize(ctx=mx.cpu(1))  # stands for a GPU here",
        "net(nd.ones((2, 8)))",
        r"not initialized on context cpu\(0\).*only initialized on \[cpu\(1\)\].*as_in_context",
    ),
    Mistake(
        "Arrays of two contexts for a net that is one graph",
        "loss = gluon.loss.L2Loss()\nloss.hybridize()",
        "loss(nd.ones(2, ctx=mx.cpu(0)), nd.ones(2, ctx=mx.cpu(1)))",
        "Find multiple contexts in the input: cpu.0. and cpu.1.",
    ),
    Mistake(
        "Labels of another length",
        "loss = gluon.loss.L2Loss()",
        "loss(nd.ones((32, 1)), nd.ones(31))",
        r"pred is an array of shape \(32, 1\).*label an array of shape \(31,\)",
    ),
    Mistake(
        "One-hot labels where class numbers are expected",
        "loss = gluon.loss.SoftmaxCrossEntropyLoss()",
        "loss(nd.ones((2, 4)), nd.one_hot(nd.array([1, 3]), 4))",
        "one class number for each.*make the loss with sparse_label=False",
    ),
    Mistake(
        "Class numbers where probabilities are expected",
        "loss = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)",
        "loss(nd.ones((2, 4)), nd.array([1, 3]))",
        r"label has shape \(2,\).*make the loss with sparse_label=True",
    ),
    Mistake(
        "Integers, such as the bytes of a picture",
        NET,
        "net(nd.ones((2, 8), dtype='uint8'))",
        r"dtype uint8.*one floating-point dtype for all.*x.astype",
    ),
    Mistake(
        "NumPy's float64",
        NET,
        "net(mx.np.array(onp.random.rand(2, 8)))",
        r"dtype float64.*one floating-point dtype for all.*x.astype",
    ),
    Mistake(
        "A NumPy array",
        NET,
        "net(onp.ones((2, 8)))",
        r"numpy.ndarray was given.*net\(mx.nd.array\(x\)\)",
    ),
    Mistake(
        "A tensor of torch",
        f"import torch\n{NET}",
        "net(torch.ones(2, 8))",
        r"torch.Tensor was given.*mx.nd.from_torch\(x\)",
    ),
    Mistake(
        "record() is forgotten",
        NET,
        "net(nd.ones((2, 8))).sum().backward()",
        r"not computed inside autograd.record\(\).*with autograd.record\(\)",
    ),
    Mistake(
        "backward() twice",
        "x = nd.ones(3)\nx.attach_grad()\nwith autograd.record():\n    y = (x * x).sum()",
        "y.backward()\ny.backward()",
        r"used up by .*backward\(\) in line .*retain_graph=True\).*, or record again",
    ),
    Mistake(
        "A step without a backward()",
        TRAINER,
        "trainer.step(32)",
        r"not been updated by backward since last.*call loss\.backward\(\) behind it",
    ),
    Mistake(
        "A trainer of a net that is not initialized",
        "net = nn.Dense(4)",
        "gluon.Trainer(net.collect_params(), 'sgd')",
        r"has not been initialized.*net.initialize",
    ),
    Mistake(
        "A trainer of the net itself",
        NET,
        "gluon.Trainer(net, 'sgd')",
        r"list or dict of Parameters, got.*Trainer\(net.collect_params\(\)",
    ),
    Mistake(
        "An optimizer's argument by torch's name",
        NET,
        "gluon.Trainer(net.collect_params(), 'adam', {'lr': 0.1})",
        "unexpected keyword argument, lr=0.1.*Did you mean 'learning_rate'",
    ),
    Mistake(
        "A learning rate that is nan",
        NET,
        "gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': float('nan')})",
        "learning_rate=nan was given.*division by zero",
    ),
    Mistake(
        "The parameters of another net",
        f"{NET}net.save_parameters('net.params')\nother = nn.HybridSequential()\n"
        "other.add(nn.Dense(16, in_units=8), nn.Dense(5, in_units=16))",
        "other.load_parameters('net.params')",
        r"nothing was changed(.|\n)*'1.weight' is \(4, 16\) in the file and \(5, 16\) in the Block",
    ),
    Mistake(
        "A file that is not there",
        NET,
        "net.load_parameters('nte.params')",
        "Loading 'nte.params': No such file.*Check the name and the working directory",
    ),
    Mistake(
        "A folder that is not there",
        NET,
        "net.save_parameters('results/net.params')",
        "Saving 'results/net.params': No such file or directory.*Create it first",
    ),
    Mistake(
        "A misspelt operator",
        "",
        "nd.sofmax(nd.ones((2, 3)))",
        "no attribute 'sofmax'. The nearest name there is 'softmax'",
    ),
    Mistake("A misspelt layer", "", "nn.Dence(10)", "The nearest name there is 'Dense'"),
    Mistake(
        "A misspelt argument of a layer",
        "",
        "nn.Dense(10, in_unit=4)",
        "unexpected keyword argument, in_unit=4.*Did you mean 'in_units'",
    ),
    Mistake(
        "A misspelt activation function, optimizer, metric or initializer",
        "",
        "nn.Dense(10, activation='rellu')",
        "activation='rellu' was given.*Did you mean 'relu'",
    ),
    Mistake(
        "An if on data in a net that is exported",
        "class Gate(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n"
        "        return x * 2 if x.sum() > 3 else x\n\n"
        "net = Gate()\nnet.hybridize()\nnet(nd.ones(4))",
        "net.export('gate')",
        r"has no values(.|\n)*F.where\(condition, x, y\)",
    ),
    Mistake(
        "Shapes that do not broadcast",
        "",
        "nd.ones((2, 3)) + nd.ones((2, 4))",
        r"shape \(2, 3\) and \(2, 4\) were given.*length of 1 wherever they differ",
    ),
    Mistake(
        "A shape of another size",
        "",
        "nd.ones((2, 3)).reshape((4, 2))",
        r"\(6 elements\) was to get shape \(4, 2\).*-1 becomes 3",
    ),
    Mistake(
        "Arrays that do not join",
        "",
        "nd.concat(nd.ones((2, 3)), nd.ones((3, 4)), dim=1)",
        "No axis fits: on axis 0 number 1 has 2, number 2 has 3",
    ),
    Mistake(
        "Writing into an array that is recorded",
        "x = nd.ones(3)\nx.attach_grad()",
        "with autograd.record():\n    y = x * 2\n    y += 1",
        "gradient computation.*Write y = y \\+ 1",
    ),
    Mistake(
        "Values of another shape for a parameter",
        "net = nn.Dense(4, in_units=8)\nnet.initialize()",
        "net.weight.set_data(nd.ones((8, 4)))",
        r"shape \(8, 4\) was given, which is incompatible with its shape \(4, 8\)",
    ),
    Mistake(
        "A batch that the devices can't share evenly",
        "",
        "gluon.utils.split_and_load(nd.ones((5, 3)), [mx.cpu(0), mx.cpu(1)])",
        "cannot be evenly split into 2 slices.*even_split=False",
    ),
    Mistake(
        "Samples of several shapes in a batch",
        "samples = gluon.data.SimpleDataset([nd.ones(2), nd.ones(3)])",
        "for batch in gluon.data.DataLoader(samples, batch_size=2):\n    pass",
        r"shapes \(2,\), \(3,\) cannot be stacked.*pad them",
    ),
    Mistake(
        "super().__init__() is forgotten",
        "class Net(nn.Block):\n    def __init__(self):\n        self.body = nn.Dense(4)",
        "Net()",
        r"before its parent's constructor ran. Expected super\(\).__init__",
    ),
    Mistake(
        "A class where a layer is expected",
        "net = nn.HybridSequential()",
        "net.add(nn.Dense)",
        "has type <class 'type'>|the class Dense.*Write Dense",
    ),
    Mistake(
        "A Block that contains itself",
        "class Net(nn.Block):\n    def __init__(self):\n        super().__init__()\n"
        "        self.me = self",
        "Net()",
        "was to be its own child.*tuple",
    ),
    Mistake(
        "An argument that a Symbol needs is missing",
        "out = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=3, name='fc')",
        "out.bind(mx.cpu(), {'data': nd.ones((2, 4))})",
        "`fc_weight`, `fc_bias` is missing.*simple_bind",
    ),
    Mistake(
        "An array larger than the memory",
        "",
        "nd.ones((10 ** 7, 10 ** 8))",
        "needs 4,000,000,000,000,000 bytes .*smaller",
    ),
)


def made(mistake: Mistake) -> Exception:
    """Return the error that a program with a mistake ends in; its frames begin in the program."""
    code = f"{mistake.before.rstrip()}\n{mistake.code}".lstrip()
    name = f"<{mistake.title}>"
    text = f"{ALL}\n{code}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    log = logging.getLogger("gluonish.hybrid")
    was = log.disabled
    log.disabled = True
    try:
        with tempfile.TemporaryDirectory() as folder, chdir(folder), NameManager():
            exec(compile(text, name, "exec"), {"__name__": "program"})
    except (MXNetError, TypeError) as error:
        trace = error.__traceback__
        error.__traceback__ = None if trace is None else trace.tb_next
        return error
    finally:
        log.disabled = was
    msg = f"{mistake.title}: no error"
    raise RuntimeError(msg)


def page() -> str:
    """Return the list of mistakes, and the classes of errors, in Markdown."""
    parts = []
    for number, mistake in enumerate(MISTAKES, 1):
        code = f"{mistake.before.rstrip()}\n{mistake.code}".strip()
        told = "".join(traceback.format_exception_only(made(mistake))).strip()
        told = told.removeprefix("gluonish.errors.")
        title = mistake.title.replace("__", r"\_\_")  # no bold type
        parts.append(f"### {number}. {title}\n")
        parts.append(f"```python\n{code}\n```\n\n```text\n{told}\n```\n")
    parts.append("## All classes\n\n| Class | Also a | When |\n|---|---|---|")
    for name, cls in sorted(vars(errors).items()):
        if isinstance(cls, type) and issubclass(cls, MXNetError):
            builtin = {c.__name__ for c in cls.__mro__ if c.__module__ == "builtins"}
            also = sorted(builtin - {"object", "BaseException", "Exception", "RuntimeError"})
            when = (cls.__doc__ or "").partition("\n")[0]
            parts.append(f"| `{name}` | {', '.join(f'`{one}`' for one in also)} | {when} |")
    return "\n".join(parts)


def main() -> None:
    """Print the page's part."""
    sys.stdout.write(page() + "\n")


if __name__ == "__main__":
    main()
