"""`mx.log`: loggers with short, coloured lines."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger",
]  # fmt: skip

CRITICAL: Final = logging.CRITICAL
ERROR: Final = logging.ERROR
WARNING: Final = logging.WARNING
INFO: Final = logging.INFO
DEBUG: Final = logging.DEBUG
NOTSET: Final = logging.NOTSET

_ESCAPE, _END = "\x1b[", "\x1b[0m"
_LETTERS = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}


class _Formatter(logging.Formatter):
    def __init__(self, is_coloured: bool) -> None:
        super().__init__(datefmt="%m%d %H:%M:%S")
        self._is_coloured = is_coloured

    @override
    def format(self, record: logging.LogRecord) -> str:
        letter = _LETTERS.get(record.levelno, "U")
        head = f"[{letter} {self.formatTime(record, self.datefmt)} {record.process} "
        head += f"{record.pathname}:{record.funcName}:{record.lineno}]"
        if self._is_coloured:
            number = 31 if record.levelno >= WARNING else 32 if record.levelno == INFO else 34
            head = f"{_ESCAPE}{number}m{head}{_END}"
        text = f"{head} {record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def get_logger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Return a logger that writes to a file, or to stderr, in colours on a terminal.

    Parameters
    ----------
    name : str, optional
        Name of the logger; without one, the root logger is returned as it is.
    filename : str, optional
        File to write to.
    filemode : str, default 'a'
        How it is opened.
    level : int, default WARNING
        What is less important is left out.

    Examples
    --------
    >>> import gluonish as mx
    >>> logger = mx.log.get_logger('training', level=mx.log.INFO)
    >>> logger.level == mx.log.INFO
    True
    """
    logger = logging.getLogger(name)
    if name is None or getattr(logger, "_gluonish_ready", False):
        return logger
    handler: logging.Handler
    if filename is not None:
        handler = logging.FileHandler(filename, filemode or "a")
        handler.setFormatter(_Formatter(is_coloured=False))
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(_Formatter(is_coloured=sys.stderr.isatty()))
    logger.addHandler(handler)
    logger.setLevel(level)
    logger._gluonish_ready = True  # type: ignore[attr-defined]  # noqa: SLF001
    return logger


def getLogger(  # noqa: N802 - MXNet's name
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Call `get_logger`, MXNet's newer name.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.log.getLogger('reading') is mx.log.get_logger('reading')
    True
    """
    return get_logger(name, filename, filemode, level)
