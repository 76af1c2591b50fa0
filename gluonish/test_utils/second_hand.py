"""Names that MXNet's module has from others, and hands on in `import *`: `np`, `rnd`, `os`, ..."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

_SAME = "bz2 errno gzip json logging numbers os platform struct sys time traceback zipfile"
NAMES = {
    **dict(zip(_SAME.split(), _SAME.split(), strict=True)),
    "mx": "gluonish",
    "np": "numpy",
    "npt": "numpy.testing",
    "rnd": "numpy.random",
    "ss": "scipy.stats",
    "Context": "gluonish.context:Context",
    "Features": "gluonish.runtime:Features",
    "OrderedDict": "collections:OrderedDict",
    "Symbol": "gluonish.symbol:Symbol",
    "_STORAGE_TYPE_STR_TO_ID": "gluonish.ndarray:_STORAGE_TYPE_STR_TO_ID",
    "_parse_aux_states": "gluonish.test_utils.graphs:_parse_aux_states",
    "_parse_location": "gluonish.test_utils.graphs:_parse_location",
    "array": "gluonish.ndarray:array",
    "contextmanager": "contextlib:contextmanager",
    "current_context": "gluonish.context:current_context",
    "get_cuda_compute_capability": "gluonish.util:get_cuda_compute_capability",
    "getenv": "gluonish.util:getenv",
    "np_symbol": "gluonish.symbol.numpy:_Symbol",
    "setenv": "gluonish.util:setenv",
}


def found(name: str) -> Any:  # noqa: ANN401 - a module, a class, a function
    """Return what a name stands for; None for SciPy's where it is not installed.

    Modules are imported only now: SciPy's takes longer than all of gluonish.

    Examples
    --------
    >>> from gluonish.test_utils import second_hand
    >>> second_hand.found('rnd').__name__
    'numpy.random'
    """
    module, _, inner = NAMES[name].partition(":")
    if find_spec(module.partition(".")[0]) is None:
        return None
    value = importlib.import_module(module)
    return getattr(value, inner) if inner else value
