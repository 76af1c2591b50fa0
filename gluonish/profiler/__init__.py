"""`mx.profiler`: what takes time and memory, over `torch.profiler`."""

from __future__ import annotations

from gluonish.profiler import recording, scopes
from gluonish.profiler.explaining import Explanation, explain
from gluonish.profiler.recording import *
from gluonish.profiler.scopes import *

__all__ = ["Explanation", "explain", *recording.__all__, *scopes.__all__]
