"""What all errors have in common."""

from __future__ import annotations

import gluonish as mx
from gluonish import errors


def test_a_message_with_endless_names_is_shown_without_its_middle():
    for kind in (mx.MXNetError, errors.ArchitectureError, errors.FileAccessError):
        text = str(kind("begin " + "x" * 1_000_000 + " end"))
        assert len(text) < 11_000
        assert text.startswith("begin xxx")
        assert text.endswith("xxx end")
        assert str(kind("a short one")) == "a short one"
