"""Write pickled_arrays.json: arrays that the real MXNet 1.9.1 pickled, in base64."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path

import mxnet as mx

with mx.util.np_shape(True):  # otherwise a length of 0 is an unknown one
    EMPTY = mx.np.zeros((0, 3))
ONES = mx.nd.ones((2, 2))
VALUES = {
    "array": mx.nd.array([[1, 2], [3, 4]]),
    "np": mx.np.array([1.0, 2.0]),
    "integers": mx.nd.array([1, 2], dtype="int64"),
    "list": [mx.nd.ones(2), mx.nd.zeros(3)],
    "tuple": (mx.nd.ones(2),),
    "dict": {"b": mx.nd.ones(2), "a": mx.np.zeros(1)},
    "row_sparse": ONES.tostype("row_sparse"),
    "csr": ONES.tostype("csr"),
    "empty": EMPTY,
    "nested": {"w": [mx.nd.ones(1)], "epoch": 3},
}


def pickled(value: object, protocol: int) -> str:
    with mx.util.np_shape(value is EMPTY):
        return base64.b64encode(pickle.dumps(value, protocol)).decode()


if __name__ == "__main__":
    found = {
        f"{name} {protocol}": pickled(value, protocol)
        for name, value in VALUES.items()
        for protocol in range(5)
    }
    path = Path(__file__).parent / "pickled_arrays.json"
    path.write_text(json.dumps(found, indent=1) + "\n")
