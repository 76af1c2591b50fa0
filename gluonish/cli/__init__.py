"""The command `gluonish`."""

from __future__ import annotations

from gluonish.cli.command import main

__all__ = ["main"]
