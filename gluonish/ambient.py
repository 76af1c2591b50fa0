"""Whether this thread records operators for gradients, in training or in prediction mode."""

from __future__ import annotations

import threading


class _State(threading.local):
    """Recording and training flags of one thread (class attributes are the defaults)."""

    recording = False
    training = False


state = _State()
