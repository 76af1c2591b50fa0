"""How the processes that share stores find, watch and tell one another."""

from __future__ import annotations
