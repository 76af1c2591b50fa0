"""Answers another process: one JSON request a line comes in, one JSON reply goes out."""

from __future__ import annotations

import json
import os
import sys

__all__ = ["answer"]


def answer(driver: object) -> None:
    """Have methods of an object answer requests, until there are no more.

    A request names the method as `do`, beside its arguments.
    """
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not stand among the replies
    for line in sys.stdin:
        request = json.loads(line)
        reply = getattr(driver, request.pop("do"))(**request)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
