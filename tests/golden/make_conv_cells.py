"""Writes conv_cells.json and conv_cells.npz: convolutional cells of the real MXNet 1.9.1.

Run it under the real MXNet: `python tests/golden/make_conv_cells.py`. It records what make_rnn.py
does of other cells, without oneDNN, whose order of weights MXNet cannot show.
"""

from __future__ import annotations

import json
import os

os.environ["MXNET_MKLDNN_ENABLED"] = "0"

import make_rnn
import numpy as onp

MERGED = {"merge_outputs": True}
CELLS = {
    "conv_rnn": ("contrib.Conv1DRNNCell((2, 6), 3, 3, 3, activation='relu')", (2, 4, 2, 6), MERGED),
    "conv_rnn_3d": ("contrib.Conv3DRNNCell((2, 3, 4, 4), 2, 3, 1)", (1, 2, 2, 3, 4, 4), {}),
    "conv_lstm": (
        "contrib.Conv2DLSTMCell((2, 6, 5), 2, (3, 2), (3, 5), (1, 0), h2h_dilate=2)",
        (2, 3, 2, 6, 5),
        MERGED,
    ),
    "conv_lstm_open": ("contrib.Conv1DLSTMCell((0, 7), 2, (3,), (3,))", (2, 3, 5, 7), {}),
    "conv_gru": (
        "contrib.Conv1DGRUCell((2, 6), 3, 3, 3, i2h_dilate=2, activation='softrelu')",
        (2, 4, 2, 6),
        MERGED,
    ),
    "conv_gru_2d": ("contrib.Conv2DGRUCell((2, 4, 4), 2, 3, 3)", (1, 3, 2, 4, 4), {}),
}

if __name__ == "__main__":
    store, text = {}, {}
    make_rnn.record_cells(store, text, CELLS)
    onp.savez_compressed(make_rnn.HERE / "conv_cells.npz", **store)
    (make_rnn.HERE / "conv_cells.json").write_text(json.dumps(text, indent=1) + "\n")
