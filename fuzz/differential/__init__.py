"""Fuzzer of calls: arguments drawn at random, given to the real MXNet and to gluonish alike."""

from __future__ import annotations
