"""Fuzzer of all readers of files: damaged and hostile files, made by what knows their formats."""

from __future__ import annotations
