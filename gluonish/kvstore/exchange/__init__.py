"""What workers sum in step: what waits, what is on its way, and what comes of it."""

from __future__ import annotations
