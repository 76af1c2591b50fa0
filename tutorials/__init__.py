"""Tutorials: programs in cells, and what runs them and keeps what they showed."""

from __future__ import annotations
