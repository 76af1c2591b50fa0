"""`mx.kv`: stores that sum and share arrays between contexts."""

from __future__ import annotations

from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.creation import create
from gluonish.kvstore.kvstore import KVStore

__all__ = ["KVStore", "KVStoreBase", "create"]
