"""What MXNet's functions write into graphs beside the arguments that they are given."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_AXIS = "axis=None keepdims=False"
_NEW = "dtype=float32 ctx=cpu(0)"

# By front end (for methods with `_method`) and name: functions that MXNet has in Python, and
# which pass all of their arguments on.
_TEXTS = {
    "nd.arange": "stop=None step=1.0 repeat=1 infer_range=False dtype=float32",
    "nd.eye": "M=0 k=0 dtype=float32",
    "nd.full": "dtype=float32",
    "nd.linspace": "endpoint=True dtype=float32",
    "nd.ones": "dtype=float32",
    "nd.random.exponential": "lam=1.0",
    "nd.random.gamma": "alpha=1 beta=1",
    "nd.random.generalized_negative_binomial": "mu=1 alpha=1",
    "nd.random.multinomial": "get_prob=True dtype=int32",
    "nd.random.negative_binomial": "k=1 p=1",
    "nd.random.normal": "loc=0 scale=1",
    "nd.random.poisson": "lam=1",
    "nd.random.randn": "loc=0 scale=1",
    "nd.random.uniform": "low=0 high=1",
    "nd.zeros": "dtype=float32",
    "nd_method.diag": "k=0",
    "nd_method.squeeze": "axis=None",
    "np.arange": f"step=1 {_NEW}",
    "np.argmax": _AXIS,
    "np.argmin": _AXIS,
    "np.concatenate": "axis=0",
    "np.diff": "n=1 axis=-1",
    "np.eye": f"M=None k=0 {_NEW}",
    "np.einsum": "optimize=0",
    "np.full": _NEW,
    "np.full_like": "ctx=cpu(0)",
    "np.identity": _NEW,
    "np.linspace": "endpoint=True ctx=cpu(0)",
    "np.logspace": "endpoint=True base=10.0 ctx=cpu(0)",
    "np.mean": _AXIS,
    "np.ones": _NEW,
    "np.ones_like": "ctx=cpu(0)",
    "np.random.exponential": "scale=1.0 ctx=cpu(0)",
    "np.random.gamma": f"scale=1.0 {_NEW}",
    "np.random.normal": f"loc=0.0 scale=1.0 size=None {_NEW}",
    "np.random.randint": "dtype=int64 ctx=cpu(0)",
    "np.random.uniform": f"low=0.0 high=1.0 size=None {_NEW}",
    "np.rot90": "k=1 axes=(0, 1)",
    "np.sort": "axis=-1 is_ascend=True",
    "np.stack": "axis=0",
    "np.std": f"{_AXIS} ddof=0",
    "np.take": "axis=0 mode=raise",
    "np.tril": "k=0",
    "np.unique": "return_index=False return_inverse=False return_counts=False axis=None",
    "np.var": f"{_AXIS} ddof=0",
    "np.zeros": _NEW,
    "np.zeros_like": "ctx=cpu(0)",
    "np_method.argmax": _AXIS,
    "np_method.argmin": _AXIS,
    "np_method.argsort": "axis=-1 is_ascend=True dtype=int64",
    "np_method.max": _AXIS,
    "np_method.mean": _AXIS,
    "np_method.min": _AXIS,
    "np_method.prod": _AXIS,
    "np_method.repeat": "axis=None",
    "np_method.reshape": "order=C",
    "np_method.squeeze": "axis=None",
    "np_method.std": f"{_AXIS} ddof=0",
    "np_method.sum": _AXIS,
    "np_method.take": "axis=0 mode=raise",
    "np_method.transpose": "axes=None",
    "np_method.var": f"{_AXIS} ddof=0",
}


def _read(text: str) -> Mapping[str, str]:
    words = text.replace(", ", ",").split(" ")
    pairs = (word.split("=", 1) for word in words)
    return MappingProxyType({key: value.replace(",", ", ") for key, value in pairs})


ADDED: Mapping[str, Mapping[str, str]] = {name: _read(text) for name, text in _TEXTS.items()}
