"""Who owns which elements of a store, and updates them for all."""

from __future__ import annotations
