"""`mx.kv`: stores that sum and share arrays between contexts and processes."""

from __future__ import annotations

from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.creation import create
from gluonish.kvstore.kvstore import KVStore
from gluonish.kvstore.workers.group import serve_if_asked

__all__ = ["KVStore", "KVStoreBase", "create"]
_UNSTARRED = ("base", "kvstore")

serve_if_asked()  # of MXNet's launcher, only workers run the program itself
