"""Initializers that look arrays up, or choose another initializer by name."""

from __future__ import annotations

import logging
import os
import re
from typing import TYPE_CHECKING

from gluonish import ndarray as nd
from gluonish.array.tensors import as_default
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.init.base import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray

__all__ = ["Load", "Mixed"]


class Load:
    """Fill arrays with values from a file or dictionary.

    Parameters
    ----------
    param : str or dict
        Name of a file that `mx.nd.save` has written, or arrays by name. `arg:` and `aux:` at the
        start of a name are cut off.
    default_init : Initializer, optional
        Used for names that are not there.
    verbose : bool, default False
        Whether to log each array.

    Examples
    --------
    >>> import gluonish as mx
    >>> init = mx.init.Load({'fc_weight': mx.nd.ones((2,))})
    >>> x = mx.nd.zeros((2,))
    >>> init('fc_weight', x)
    >>> print(x.asnumpy())
    [1. 1.]
    """

    def __init__(
        self,
        param: str | os.PathLike[str] | Mapping[str, NDArray],
        default_init: Callable[[str, NDArray], None] | None = None,
        verbose: bool = False,
    ) -> None:
        arrays = nd.load(param) if isinstance(param, (str, os.PathLike)) else param
        if not hasattr(arrays, "items"):
            msg = (
                f"Load: {type(arrays).__name__} was given. Expected arrays by name, or the name of "
                f"a file of them. Pass a dictionary."
            )
            raise RefusedArgumentError(msg)
        self.param = {_bare(name): as_default(array) for name, array in arrays.items()}
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill an array in place.

        Raises
        ------
        RefusedArgumentError
            The loaded array has another shape, or there is none and no `default_init`.
        """
        if name in self.param:
            loaded = self.param[name]
            if arr.shape != loaded.shape:
                msg = (
                    f"Parameter {name} cannot be initialized from loading. Shape mismatch, target "
                    f"{arr.shape} vs loaded {loaded.shape}. Expected the same shape. Build the "
                    f"layer with the loaded sizes."
                )
                raise RefusedArgumentError(msg)
            fill(arr, loaded)
            self._log("Initialized %s by loading", name)
        elif self.default_init is not None:
            self.default_init(name, arr)
            self._log("Initialized %s by default", name)
        else:
            msg = (
                f"Cannot Initialize {name}. Not found in loaded param and no default Initializer "
                f"is provided. Expected one of {', '.join(sorted(self.param)[:10])}. Pass "
                f"default_init."
            )
            raise RefusedArgumentError(msg)

    def _log(self, text: str, name: str) -> None:
        if self.verbose:
            logging.getLogger().info(text, name)


def _bare(name: str) -> str:
    return name[4:] if name.startswith(("arg:", "aux:")) else name


class Mixed:
    """Choose an initializer by the array's name.

    Parameters
    ----------
    patterns : list of str
        Regular expressions, matched from the start of the name, the first that fits wins.
    initializers : list of Initializer
        One for each pattern.

    Examples
    --------
    >>> import gluonish as mx
    >>> init = mx.init.Mixed(['.*bias', '.*'], [mx.init.Zero(), mx.init.One()])
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(init)
    >>> print(net.weight.data().asnumpy())
    [[1. 1.]]
    """

    def __init__(
        self, patterns: Sequence[str], initializers: Sequence[Callable[[str, NDArray], None]]
    ) -> None:
        if len(patterns) != len(initializers):
            msg = (
                f"Mixed: {len(patterns)} patterns and {len(initializers)} initializers were given. "
                f"Expected one initializer for each pattern. Pass lists of one length."
            )
            raise RefusedArgumentError(msg)
        self.map = [
            (re.compile(pattern), initializer)
            for pattern, initializer in zip(patterns, initializers, strict=True)
        ]

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill an array in place.

        Raises
        ------
        InvalidArgumentError
            No pattern fits the name.
        """
        for pattern, initializer in self.map:
            if pattern.match(name):
                initializer(name, arr)
                return
        msg = (
            f"Parameter name {name} did not match any pattern. Expected one of "
            f"{', '.join(repr(pattern.pattern) for pattern, _ in self.map)}. Consider adding a "
            f"\".*\" pattern at the end with default Initializer: '.*' to the patterns, and "
            f"mx.init.Uniform() to the initializers."
        )
        raise InvalidArgumentError(msg)
