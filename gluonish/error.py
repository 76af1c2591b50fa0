"""`mx.error`: classes of errors by name, and how a program registers its own."""

from __future__ import annotations

from gluonish.base import MXNetError, register_error

__all__ = ["MXNetError", "register"]
_UNSTARRED = ("InternalError", "register_error")

register = register_error
_HINT = "MXNet hint: "


@register_error
class InternalError(MXNetError):
    """An error that is not the program's fault; its message asks for a report.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.error.InternalError('The graph has a circle.'))
    The graph has a circle.
    MXNet hint: You hit an internal error. Please report it, with the program that shows it.
    """

    def __init__(self, msg: str) -> None:
        if _HINT not in msg:
            msg += (
                f"\n{_HINT}You hit an internal error. Please report it, with the program that "
                f"shows it."
            )
        super().__init__(msg)


for _builtin in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError):
    register_error(_builtin)
