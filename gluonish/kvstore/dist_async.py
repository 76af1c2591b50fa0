"""AsyncKVStore: a store of several processes, each at its own pace."""

from __future__ import annotations

from gluonish.kvstore.dist import DistKVStore


class AsyncKVStore(DistKVStore):
    """Arrays by key, which several processes push to and pull from."""
