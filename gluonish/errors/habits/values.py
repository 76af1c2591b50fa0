"""Words for an argument's value, in other libraries' spelling."""

from __future__ import annotations

from typing import Final

_NEXT: Final = " comes behind it, as a layer of its own: leave activation out"
# What is registered under another name here: the registry, their word without underscores, what
# to write.
VALUES: Final[dict[str, dict[str, str]]] = {
    "activation": {
        "linear": "Leave activation out for none",
        "none": "Leave activation out for none",
        "softmax": "Leave activation out: losses contain softmax, and nd.softmax(net(x)) gives "
        "probabilities",
        "gelu": f"nn.GELU(){_NEXT}",
        "leakyrelu": f"nn.LeakyReLU(0.01){_NEXT}",
        "elu": f"nn.ELU(){_NEXT}",
        "selu": f"nn.SELU(){_NEXT}",
        "swish": f"nn.Swish(){_NEXT}",
        "silu": f"nn.Swish(){_NEXT}",
        "softplus": "Write activation='softrelu'",
    },
    "init": {
        **dict.fromkeys(
            ("henormal", "kaimingnormal", "he", "kaiming"),
            "Write mx.init.MSRAPrelu('in', 0) in its place",
        ),
        **dict.fromkeys(
            ("heuniform", "kaiminguniform"),
            "Write mx.init.Xavier('uniform', 'in', 6) in its place",
        ),
        **dict.fromkeys(
            ("glorotuniform", "xavieruniform", "glorot"), "Write 'xavier' in its place"
        ),
        **dict.fromkeys(
            ("glorotnormal", "xaviernormal"),
            "Write mx.init.Xavier('gaussian', magnitude=1) in its place",
        ),
        "lecunnormal": "Write mx.init.Xavier('gaussian', 'in', 1) in its place",
        "lecununiform": "Write mx.init.Xavier('uniform', 'in', 3) in its place",
        "randomnormal": "Write mx.init.Normal(0.05) in its place",
        "randomuniform": "Write mx.init.Uniform(0.05) in its place",
    },
    "metric": {
        "top5": "Write mx.metric.TopKAccuracy(top_k=5)",
        "precision": (
            "'f1' has it; so has sklearn.metrics.precision_score(labels.asnumpy(), preds.asnumpy())"
        ),
        "recall": (
            "'f1' has it; so has sklearn.metrics.recall_score(labels.asnumpy(), preds.asnumpy())"
        ),
        "r2": (
            "A function of NumPy's arrays does: mx.metric.create(lambda label, pred: 1 - ((label - "
            "pred) ** 2).sum() / ((label - label.mean()) ** 2).sum())"
        ),
        **dict.fromkeys(("f1score", "fscore"), "Write 'f1'"),
        "accuracyscore": "Write 'accuracy'",
        "meansquarederror": "Write 'mse'",
        "meanabsoluteerror": "Write 'mae'",
        "top1": "Write mx.metric.Accuracy()",
        **dict.fromkeys(
            ("auc", "rocauc", "rocaucscore", "auroc"),
            "Write mx.metric.np(lambda labels, preds: roc_auc_score(labels, preds[:, 1]), 'auc'), "
            "after from sklearn.metrics import roc_auc_score, for preds of two columns",
        ),
        "binaryaccuracy": "Write 'accuracy'",
        "categoricalaccuracy": "Write 'accuracy', which takes class numbers as labels",
        "sparsecategoricalcrossentropy": "Write 'ce'",
        "binarycrossentropy": "Write mx.metric.Loss(), and update it with the loss",
        "logloss": "Write 'ce'",
        "rootmeansquarederror": "Write 'rmse'",
        "topkcategoricalaccuracy": "Write mx.metric.TopKAccuracy(top_k=5)",
        "sparsecategoricalaccuracy": "Write 'accuracy'",
        "categoricalcrossentropy": "Write 'ce'",
    },
    "optimizer": {
        "momentum": "Write 'sgd', with 'momentum': 0.9 beside the learning rate",
        "nesterov": "Write 'nag'",
        **dict.fromkeys(("gradientdescent", "gradientdescentoptimizer"), "Write 'sgd'"),
        "adamoptimizer": "Write 'adam'",
        "lion": "'signum' is the nearest",
    },
}
