"""Vocabularies and vectors of words: `mx.contrib.text`."""

from __future__ import annotations

from gluonish.contrib.text import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]
