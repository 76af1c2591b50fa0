"""Ask the real MXNet 1.9.1 for the values of its metrics after each of several batches.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
tests/golden/metric.json.
"""

from __future__ import annotations

import json
import pathlib

import mxnet as mx
import numpy as onp

CASES = {
    "Accuracy": ["Accuracy", {}, "classes"],
    "Accuracy of answers": ["Accuracy", {}, "answers"],
    "Accuracy along the last axis": ["Accuracy", {"axis": -1}, "sequences"],
    "TopKAccuracy": ["TopKAccuracy", {"top_k": 3}, "classes"],
    "CrossEntropy": ["CrossEntropy", {}, "classes"],
    "CrossEntropy with eps": ["CrossEntropy", {"eps": 0.01}, "classes"],
    "NegativeLogLikelihood": ["NegativeLogLikelihood", {}, "classes"],
    "Perplexity": ["Perplexity", {"ignore_label": None}, "classes"],
    "Perplexity that ignores": ["Perplexity", {"ignore_label": 2}, "classes"],
    "Loss": ["Loss", {}, "numbers"],
    "Caffe": ["Caffe", {}, "numbers"],
    "Torch": ["Torch", {}, "numbers"],
    "MAE": ["MAE", {}, "numbers"],
    "MSE": ["MSE", {}, "numbers"],
    "RMSE": ["RMSE", {}, "numbers"],
    "RMSE of columns": ["RMSE", {}, "columns"],
    "PearsonCorrelation": ["PearsonCorrelation", {}, "numbers"],
    "F1": ["F1", {}, "binary"],
    "F1 micro": ["F1", {"average": "micro"}, "binary"],
    "MCC": ["MCC", {}, "binary"],
    "MCC micro": ["MCC", {"average": "micro"}, "binary"],
    "PCC": ["PCC", {}, "classes"],
}


def batches(kind):
    """Yield labels and predictions of four batches."""
    random = onp.random.RandomState(len(kind))
    for size in (6, 9, 1, 20):
        if kind == "binary":
            labels, scores = random.randint(0, 2, size), random.rand(size, 2)
        elif kind == "classes":
            labels, scores = random.randint(0, 5, size), random.rand(size, 5)
        elif kind == "sequences":
            labels, scores = random.randint(0, 5, (size, 4)), random.rand(size, 4, 5)
        elif kind == "answers":
            labels, scores = random.randint(0, 3, size), random.randint(0, 3, size)
        elif kind == "columns":
            labels, scores = random.rand(size + 1, 3), random.rand(size + 1, 3)
        else:
            labels, scores = random.rand(size + 1), random.rand(size + 1)
        if kind in ("binary", "classes"):
            scores = scores / scores.sum(1, keepdims=True)
        yield labels.astype("float32"), scores.astype("float32")


def values(name, arguments, kind):
    """Return local and global value after each batch, with a local reset in the middle."""
    metric = getattr(mx.metric, name)(**arguments)
    found = []
    for position, (labels, scores) in enumerate(batches(kind)):
        if position == 2:
            metric.reset_local()
        metric.update([mx.nd.array(labels)], [mx.nd.array(scores)])
        found.append([float(metric.get()[1]), float(metric.get_global()[1])])
    return {"name": metric.name, "values": found, "text": str(metric.get_config())}


cases = {}
for title, (name, arguments, kind) in CASES.items():
    data = [[labels.tolist(), scores.tolist()] for labels, scores in batches(kind)]
    cases[title] = {
        "class": name,
        "arguments": arguments,
        "batches": data,
        **values(name, arguments, kind),
    }
manifest = {"mxnet": mx.__version__, "numpy": onp.__version__, "cases": cases}
path = pathlib.Path("tests/golden/metric.json")
path.write_text(json.dumps(manifest, indent=None, separators=(",", ":")) + "\n")
