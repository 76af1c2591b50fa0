"""`mx.kv`: stores that sum and share arrays between contexts and processes."""

from __future__ import annotations

from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.creation import create
from gluonish.kvstore.group import serve_if_asked
from gluonish.kvstore.kvstore import KVStore

__all__ = ["KVStore", "KVStoreBase", "create"]

serve_if_asked()  # of MXNet's launcher, only workers run the program itself
