"""What the arguments of operators that update weights are called and mean."""

from __future__ import annotations

from typing import NamedTuple


class Argument(NamedTuple):
    """What is true of an argument wherever it occurs.

    Parameters
    ----------
    annotation : str
        Its type.
    meaning : str
        A sentence on it.
    part : str, default ''
        What formulas call it; empty for an argument that they do not need.
    shown : str, default ''
        What examples pass, where it has no default.
    """

    annotation: str
    meaning: str
    part: str = ""
    shown: str = ""


FACTORS = frozenset(("lr", "wd", "eta", "t", "scale"))  # parts that change from step to step
COUNTS = ("num_weights", "num_tensors", "size")
TYPES = {  # what documentation calls types
    "Tensor | float": "Tensor, shape (1), or float",
    "Sequence[float]": "tuple of float",
    "Sequence[int]": "tuple of int",
    "Sequence[Tensor]": "list of Tensor",
    "int | None": "int, optional",
}

ARRAYS = {
    "weight": Argument("Tensor", "The weight, of any shape"),
    "grad": Argument("Tensor", "Its gradient"),
    "weights": Argument("Sequence[Tensor]", "The weights, of any shapes"),
    "grads": Argument("Sequence[Tensor]", "Their gradients"),
    "mom": Argument("Tensor", "Momentum"),
    "mean": Argument("Tensor", "Running mean of the gradient"),
    "var": Argument("Tensor", "Running mean of its square"),
    "d": Argument("Tensor", "Divisor of the last update"),
    "v": Argument("Tensor", "Running mean of the squared gradient"),
    "z": Argument("Tensor", "Leader"),
    "n": Argument("Tensor", "Sum or running mean of squared gradients"),
    "g": Argument("Tensor", "Running mean of the gradient"),
    "delta": Argument("Tensor", "Last step"),
    "history": Argument("Tensor", "Sum of squared gradients"),
    "weight32": Argument("Tensor", "Copy of the weight in float32"),
    "weights32": Argument("Sequence[Tensor]", "Copy of the weight in float32"),
}

_CLIP = "Each element of the gradient is kept within this bound; no bound below 0."
_COUNT = "How many weights there are; checked if given."
OPTIONS = {
    "lr": Argument("float", "Learning rate per update.", "lr", "0.5"),
    "lrs": Argument("Sequence[float]", "Learning rate of each, per update.", "lr", "(0.5,)"),
    "wd": Argument("float", "Weight decay per update.", "wd", "0.5"),
    "wds": Argument("Sequence[float]", "Weight decay of each, per update.", "wd", "(0,)"),
    "eta": Argument("float", "Factor on learning rate and weight decay.", "eta", "0.1"),
    "etas": Argument("Sequence[float]", "Factor on both, of each weight.", "eta", "(0.1,)"),
    "t": Argument("int", "Number of this update, from 1.", "t", "1"),
    "step_count": Argument("Sequence[int]", "Number of each's update, from 1.", "t", "(1,)"),
    "rescale_grad": Argument("float", "Factor on the gradient.", "scale", "1.0"),
    "clip_gradient": Argument("float", _CLIP, "clip"),
    "clip_grad": Argument("float", _CLIP, "clip"),
    "clip_weights": Argument(
        "float", "Each element of the weight is kept within this bound; no bound below 0.",
        "clip_weights",
    ),
    "momentum": Argument("float", "Share of the old momentum in the new one.", "momentum"),
    "wd_lh": Argument("float", "Decoupled weight decay per update.", "wd_lh"),
    "beta1": Argument("float", "Decay rate of the first mean per update.", "beta1"),
    "beta2": Argument("float", "Decay rate of the second mean per update.", "beta2"),
    "gamma1": Argument("float", "Decay rate of the means per update.", "gamma1"),
    "gamma2": Argument("float", "Decay rate of the steps per update.", "gamma2"),
    "epsilon": Argument("float", "Keeps the division finite.", "epsilon"),
    "lamda1": Argument("float", "Strength of the L1 regularization.", "lamda1"),
    "beta": Argument("float", "The larger, the smaller are the first steps.", "beta"),
    "bias_correction": Argument(
        "bool", "Whether the means are corrected for their start at 0.", "bias_correction"
    ),
    "lower_bound": Argument(
        "float", "Least norm of the weight in its ratio to the step's; none below 0.", "lower"
    ),
    "upper_bound": Argument(
        "float", "Greatest norm of the weight in its ratio to the step's; none below 0.", "upper"
    ),
    "lazy_update": Argument(
        "bool", "Whether a gradient with rows, of storage type 'row_sparse', changes these alone."
    ),
    "num_weights": Argument("int | None", _COUNT),
    "num_tensors": Argument("int", _COUNT),
    "size": Argument("int", _COUNT),
}  # fmt: skip
