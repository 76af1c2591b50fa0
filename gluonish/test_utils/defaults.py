"""The context and the dtype that tests use unless told otherwise."""

from __future__ import annotations

import numpy as onp

from gluonish.context import Context, current_context, num_gpus

__all__ = ["default_context", "default_dtype", "list_gpus", "set_default_context"]


def default_context() -> Context:
    """Return the context that tests use: the current one.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.default_context()
    cpu(0)
    """
    return current_context()


def set_default_context(ctx: Context) -> None:
    """Set the current context of this thread, which is what tests use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.set_default_context(mx.cpu())
    """
    Context.default_ctx = ctx


def default_dtype() -> type[onp.float32]:
    """Return the dtype that tests use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.default_dtype().__name__
    'float32'
    """
    return onp.float32


def list_gpus() -> range:
    """Return the numbers of the GPUs there are.

    Examples
    --------
    >>> import gluonish as mx
    >>> len(mx.test_utils.list_gpus()) == mx.context.num_gpus()
    True
    """
    return range(num_gpus())
