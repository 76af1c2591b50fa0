"""Pictures as NumPy arrays: decoding, encoding and resizing them as OpenCV does."""

from __future__ import annotations
