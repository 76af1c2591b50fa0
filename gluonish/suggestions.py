"""Nearest names: what errors propose where a name is misspelt, in registries and in modules."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn

from gluonish.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

# What MXNet has and gluonish has not, and what PyTorch calls otherwise; and what to use.
_QUANTIZED = (
    "Networks are not quantized here. Use torchao, or torch.ao.quantization, on net.to_torch()"
)
_ONNX = "ONNX models are written here, not read. Load them by onnxruntime, or by onnx2torch"
_INSTEAD: Final = {
    "contrib.quantization": _QUANTIZED,
    "contrib.quant": _QUANTIZED,
    "onnx.import_model": _ONNX,
    "onnx.import_to_gluon": _ONNX,
    "onnx.onnx2mx": _ONNX,
    "io.ImageDetRecordIter": "Read such files by mx.image.ImageDetIter(path_imgrec=...)",
    "notebook": "Draw curves of training by mx.viz.plot_history",
    "notebook.callback": "Draw curves of training by mx.viz.plot_history",
    "nn.Linear": "PyTorch's Linear(n, m) is Dense(m) here; it finds n itself",
    "nn.ReLU": "PyTorch's ReLU() is Activation('relu') here",
    "nn.Sigmoid": "PyTorch's Sigmoid() is Activation('sigmoid') here",
    "nn.Tanh": "PyTorch's Tanh() is Activation('tanh') here",
    "nn.Module": "PyTorch's Module is Block here, or HybridBlock",
    "nn.ModuleList": "PyTorch's ModuleList is Sequential here; its layers are net[0], net[1], ...",
    "nn.Parameter": "PyTorch's Parameter is self.params.get('name', shape=...) here",
    "nn.CrossEntropyLoss": "PyTorch's CrossEntropyLoss is gluon.loss.SoftmaxCrossEntropyLoss here",
    "nn.MSELoss": "PyTorch's MSELoss is gluon.loss.L2Loss here, which halves the squares",
    "nn.LSTM": "Recurrent layers are in gluon.rnn: gluon.rnn.LSTM",
    "nn.GRU": "Recurrent layers are in gluon.rnn: gluon.rnn.GRU",
    "nn.RNN": "Recurrent layers are in gluon.rnn: gluon.rnn.RNN",
    "ndarray.tensor": "PyTorch's tensor is nd.array here; nd.from_torch takes a tensor",
    "ndarray.cat": "PyTorch's cat is nd.concat here",
    "numpy.tensor": "PyTorch's tensor is np.array here; nd.from_torch takes a tensor",
    "numpy.cat": "PyTorch's cat is np.concatenate here",
}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like another, whatever their case, or None.

    Examples
    --------
    >>> from gluonish.suggestions import nearest
    >>> nearest("addam", ["sgd", "adam"]), nearest("Relu", ["relu"]), nearest("x", ["adam"])
    ('adam', 'relu', None)
    """
    spelt = sorted(known)
    found = get_close_matches(name.lower(), {each.lower() for each in spelt}, n=1, cutoff=0.6)
    alike = [each for each in spelt if each.lower() in found]
    return next(iter(get_close_matches(name, alike, n=1, cutoff=0)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question for the end of a message, with a space before it; or nothing.

    Examples
    --------
    >>> from gluonish.suggestions import did_you_mean
    >>> did_you_mean("acuracy", ["accuracy", "mse"])
    " Did you mean 'accuracy'?"
    >>> did_you_mean("acuracy", [])
    ''
    """
    found = nearest(name, known)
    return "" if found is None else f" Did you mean {found!r}?"


def unknown_name(module: str, name: str) -> UnknownNameError:
    """Return the error for a name that a module does not have, with the nearest one it has.

    Examples
    --------
    >>> from gluonish.suggestions import unknown_name
    >>> import gluonish
    >>> print(unknown_name("gluonish.ndarray", "sofmax"))
    module 'gluonish.ndarray' has no attribute 'sofmax'. The nearest name there is 'softmax'.
    """
    return UnknownNameError(name, module, _in_module)


def instead(path: str) -> str | None:
    """Return what to use in place of a name that gluonish lacks on purpose, or None.

    Examples
    --------
    >>> from gluonish.suggestions import instead
    >>> instead("gluonish.contrib.quantization")
    'Networks are not quantized here. Use torchao, or torch.ao.quantization, on net.to_torch().'
    >>> instead("gluonish.nd.zeros")
    """
    found = _INSTEAD.get(path.partition(".")[2])
    return None if found is None else f"{found}."


def install(package: str) -> None:
    """Have all modules of a package that are imported say what was meant by names they lack.

    It is done here, not by a `__getattr__` in each module, so that type checkers go on finding
    misspelt names.

    Examples
    --------
    >>> import gluonish as mx
    >>> hasattr(mx.gluon.nn, "Dence")
    False
    """
    for name, module in list(sys.modules.items()):
        if type(module) is ModuleType and f"{name}.".startswith(f"{package}."):
            vars(module).setdefault("__getattr__", partial(_refuse, module.__name__))


def _refuse(module: str, name: str) -> NoReturn:
    raise unknown_name(module, name)


def _in_module(module: str, name: str) -> str:
    other = instead(f"{module}.{name}")
    if other is not None:
        return f" {other}"
    names = vars(sys.modules[module]) if module in sys.modules else {}
    listed = names.get("__all__") or names
    found = nearest(name, [each for each in listed if not each.startswith("_")])
    if found is None:
        return f" Expected one of the names that dir({module}) lists."
    return f" The nearest name there is {found!r}."
