"""Nearest names: what errors propose where a name is misspelt, in registries and in modules."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from functools import partial
from inspect import getattr_static
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from gluonish.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

_Class = TypeVar("_Class", bound=type)
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
    "autograd.get_symbol": "net(mx.sym.var('data')) is the graph of a HybridBlock",
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
_MOVE: Final = "x.as_in_context(ctx) moves an array to mx.gpu() or mx.cpu()"
_CAST: Final = "x.astype('float16') gives an array of another dtype"
_WRITE: Final = "Write to an array by x[:] = value, or x += value"
_GRADIENT: Final = "x.attach_grad() says that the gradient of an array is wanted"
_PLACE: Final = (
    "net.initialize(ctx=mx.gpu()) puts parameters on a device, "
    "net.collect_params().reset_ctx(mx.gpu()) moves them"
)
_MODE: Final = (
    "A net learns inside of autograd.record(), and predicts outside; autograd.train_mode() and "
    "autograd.predict_mode() say so for some lines"
)
_GATHERED: Final = "net.collect_params() gives all parameters by name"
_KEPT: Final = "net.save_parameters(file) and net.load_parameters(file) keep parameters"
_BELOW: Final = "net.apply(function) visits all Blocks; net[0], net[1] are those of a Sequential"
_FIT: Final = "gluon.contrib.estimator.Estimator(net, loss) has fit and evaluate"
_CONVERTED: Final = "net.cast('float16') converts a net"
_FRESH: Final = "backward() replaces gradients, so that nothing has to be made zero"
# What PyTorch's tensors, modules and optimizers have under other names; Keras's models, too.
_ON_OBJECTS: Final = {
    "NDArray": {
        "to": f"{_MOVE}, {_CAST}",
        **dict.fromkeys(("cuda", "cpu"), _MOVE),
        **dict.fromkeys(("float", "double", "half", "long", "int", "bool", "type"), _CAST),
        **dict.fromkeys(("numel", "nelement"), "x.size is the number of elements"),
        **dict.fromkeys(("dim", "ndimension"), "x.ndim is the number of axes"),
        **dict.fromkeys(("requires_grad", "requires_grad_"), _GRADIENT),
        **dict.fromkeys(("add_", "sub_", "mul_", "div_", "copy_", "fill_", "zero_"), _WRITE),
        **dict.fromkeys(("device", "is_cuda"), "x.context says where an array is"),
        **dict.fromkeys(("matmul", "mm", "bmm"), "x @ y multiplies matrices, nd.batch_dot many"),
        "numpy": "x.asnumpy() copies an array to NumPy",
        "view": "x.reshape((2, -1)) gives another shape, of the same memory",
        "unsqueeze": "x.expand_dims(axis=0) adds an axis",
        "permute": "x.transpose((1, 0)) changes the order of axes",
        "clone": "x.copy() copies an array",
        "expand": "x.broadcast_to((2, 3)) repeats along axes of length 1",
        "data": "x.detach() is an array outside of what is recorded; x.tensor is torch's tensor",
        "masked_fill": "nd.where(mask, value, x) fills elements",
        "index_select": "x.take(indices, axis=0) chooses rows",
        "gather": "nd.pick(x, indices) and nd.gather_nd(x, indices) choose elements",
        "chunk": "x.split(2, axis=0) gives parts of equal size",
    },
    "Block": {
        **dict.fromkeys(("parameters", "named_parameters", "buffers", "variables"), _GATHERED),
        **dict.fromkeys(("state_dict", "load_state_dict"), _KEPT),
        **dict.fromkeys(("children", "modules", "named_modules", "named_children"), _BELOW),
        **dict.fromkeys(("to", "cuda", "cpu"), _PLACE),
        **dict.fromkeys(("train", "eval"), _MODE),
        **dict.fromkeys(("half", "float", "double", "bfloat16"), _CONVERTED),
        **dict.fromkeys(("compile", "fit", "predict", "evaluate"), _FIT),
        "zero_grad": f"{_FRESH}; with grad_req='add', net.collect_params().zero_grad() does it",
        "add_module": "net.register_child(block, 'name') adds a Block",
        "register_buffer": "self.params.get_constant('name', value) adds what is never trained",
        "register_parameter": "self.params.get('name', shape=...) adds a parameter",
        "requires_grad_": "net.collect_params().setattr('grad_req', 'null') freezes parameters",
    },
    "Parameter": {
        **dict.fromkeys(("requires_grad", "requires_grad_"), "p.grad_req is 'write' or 'null'"),
        **dict.fromkeys(("to", "cuda", "cpu"), "p.reset_ctx(mx.gpu()) moves a parameter"),
        **dict.fromkeys(("numel", "size", "dim"), "p.data() is its array, p.data().size the size"),
        "device": "p.list_ctx() says where a parameter is",
    },
    "Trainer": {
        "zero_grad": _FRESH,
        "param_groups": "trainer.learning_rate and p.lr_mult are the learning rates",
        **dict.fromkeys(
            ("state_dict", "load_state_dict"),
            "trainer.save_states(file) and trainer.load_states(file) keep the state",
        ),
    },
}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like another, whatever their case, or None.

    Examples
    --------
    >>> from gluonish.errors.suggestions import nearest
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
    >>> from gluonish.errors.suggestions import did_you_mean
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
    >>> from gluonish.errors.suggestions import unknown_name
    >>> import gluonish
    >>> print(unknown_name("gluonish.ndarray", "sofmax"))
    module 'gluonish.ndarray' has no attribute 'sofmax'. The nearest name there is 'softmax'.
    """
    return UnknownNameError(name, f"module {module!r}", partial(_in_module, module, name))


def instead(path: str) -> str | None:
    """Return what to use in place of a name that gluonish lacks on purpose, or None.

    Examples
    --------
    >>> from gluonish.errors.suggestions import instead
    >>> instead("gluonish.contrib.quantization")
    'Networks are not quantized here. Use torchao, or torch.ao.quantization, on net.to_torch().'
    >>> instead("gluonish.nd.zeros")
    """
    found = _INSTEAD.get(path.partition(".")[2])
    return None if found is None else f"{found}."


class _Hint:
    """An attribute that is not there, and says what to use."""

    def __init__(self, name: str, hint: str) -> None:
        self._name = name
        self._hint = hint

    def __get__(self, obj: object, cls: type) -> NoReturn:
        raise UnknownNameError(self._name, f"{cls.__name__!r} object", self._text)

    def _text(self) -> str:
        return f" {self._hint}."


def with_hints(cls: _Class) -> _Class:
    """Have objects of a class say what to use in place of names that PyTorch's objects have.

    Classes below may have such names, and so may objects. `hasattr` does not see them, nor `dir`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ones(2).numpy()
    Traceback (most recent call last):
    gluonish.errors.UnknownNameError: 'NDArray' object has no attribute 'numpy'. x.asnumpy() \
copies an array to NumPy.
    """
    for name, hint in _ON_OBJECTS[cls.__name__].items():
        if not hasattr(cls, name):
            setattr(cls, name, _Hint(name, hint))
    cls.__dir__ = _there  # type: ignore[assignment, method-assign]
    return cls


def _there(self: object) -> list[str]:
    listed = object.__dir__(self)
    return [name for name in listed if type(getattr_static(self, name, None)) is not _Hint]


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
