"""Keeps pytest away from the script, which needs the real MXNet."""

from __future__ import annotations

collect_ignore_glob = ["make_*.py"]
