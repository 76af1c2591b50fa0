"""Write optimizers.npz: ten updates of each optimizer setting, by the real MXNet 1.9.1.

Run with `python tests/golden/make_optimizers.py` where mxnet==1.9.1 and numpy<1.24 are installed.
"""

from __future__ import annotations

import inspect
import json
import warnings
from pathlib import Path

import mxnet as mx
import numpy as onp

STEPS = 10
SHAPES = [[4, 3], [5], [2, 3, 2]]
NAMES = {"0": "a_weight", "1": "a_bias", "2": "b_gamma"}
OWN = {
    "sgd": {"": {}, "momentum": {"momentum": 0.9}},
    "ccsgd": {"": {"momentum": 0.5}},
    "nag": {"": {}, "momentum": {"momentum": 0.9}},
    "signum": {"": {"wd_lh": 0.1}, "plain": {"momentum": 0.0}},
    "dcasgd": {"": {"lamda": 0.2}},
    "adam": {"": {}, "betas": {"beta1": 0.8, "beta2": 0.95, "epsilon": 1e-4}},
    "adamax": {"": {}, "betas": {"beta1": 0.8, "beta2": 0.95}},
    "nadam": {"": {}, "decay": {"beta1": 0.8, "beta2": 0.95, "schedule_decay": 0.1}},
    "adagrad": {"": {}, "eps": {"eps": 1e-2}},
    "adadelta": {"": {}, "rho": {"rho": 0.7, "epsilon": 1e-3}},
    "rmsprop": {
        "": {},
        "centered": {"centered": True},
        "bounded": {"gamma1": 0.8, "epsilon": 1e-3, "clip_weights": 0.6},
        "bounded_centered": {"gamma1": 0.8, "gamma2": 0.7, "centered": True, "clip_weights": 0.6},
    },
    "ftrl": {"": {}, "lamda": {"lamda1": 0.3, "beta": 0.5}},
    "ftml": {"": {}, "betas": {"beta1": 0.8, "beta2": 0.95, "epsilon": 1e-4}},
    "lamb": {
        "": {},
        "bounds": {"lower_bound": 1.0, "upper_bound": 2.0, "epsilon": 1e-3},
        "uncorrected": {"bias_correction": False, "beta1": 0.8, "beta2": 0.95},
    },
    "lars": {
        "": {},
        "momentum": {"momentum": 0.9, "eta": 0.1, "eps": 1e-3},
        "uncorrected": {"momentum": 0.9, "eta": 0.1, "momentum_correction": False},
    },
    "lbsgd": {
        "": {},
        "momentum": {"momentum": 0.9},
        "linear": {"batch_scale": 2, "updates_per_epoch": 3, "warmup_epochs": 2},
        "power2": {"warmup_strategy": "power2", "batch_scale": 2, "updates_per_epoch": 3},
        "sqrt": {"warmup_strategy": "sqrt", "batch_scale": 3, "momentum": 0.5, "begin_epoch": 1},
        "lars": {"warmup_strategy": "lars"},
        "lars_momentum": {"warmup_strategy": "lars", "momentum": 0.9, "batch_scale": 2},
    },
    "sgld": {"": {}},
    "groupadagrad": {"": {}, "eps": {"eps": 1e-2}},
    "test": {"": {}},
}
COMMON = {
    "": {},
    "clip": {"args": {"learning_rate": 0.05, "clip_gradient": 0.3, "rescale_grad": 0.5}},
    "decay": {"args": {"learning_rate": 0.1, "wd": 0.05, "rescale_grad": 0.5}, "names": NAMES},
    "decay_clip": {
        "args": {"learning_rate": 0.05, "wd": 0.3, "clip_gradient": 0.4, "rescale_grad": 2.0}
    },
    "scheduled": {
        "args": {"learning_rate": 0.2, "wd": 0.1},
        "scheduler": ["FactorScheduler", {"step": 3, "factor": 0.5}],
        "lr_mult": {"0": 0.5, "a_bias": 2.0},
        "wd_mult": {"a_weight": 0.5, "1": 2.0},
        "names": NAMES,
    },
    "half": {
        "args": {"learning_rate": 0.1, "wd": 0.01, "multi_precision": True},
        "dtype": "float16",
        "names": NAMES,
    },
}


def cases():
    """Return all settings by name."""
    found = {}
    for name, variants in OWN.items():
        for own, options in variants.items():
            for common, setting in COMMON.items():
                case = {"optimizer": name, **setting}
                case["args"] = {**setting.get("args", {}), **options}
                if name == "groupadagrad":
                    case["args"].pop("wd", None)
                    case["shapes"] = [[4, 3], [2, 5], [3, 1]]
                if name == "lbsgd":  # asks the scheduler before it counts the first weight's update
                    case.pop("scheduler", None)
                found["-".join(filter(None, (name, own, common)))] = case
    return found


def by_index(values):
    """Return a dictionary with numbers for keys that are digits."""
    return {int(key) if key.isdigit() else key: value for key, value in values.items()}


def make(case):
    """Return the optimizer of a setting."""
    options = dict(case["args"])
    if "scheduler" in case:
        name, arguments = case["scheduler"]
        options["lr_scheduler"] = getattr(mx.lr_scheduler, name)(**arguments)
    if "names" in case:
        options["param_idx2name"] = by_index(case["names"])
    optimizer = mx.optimizer.create(case["optimizer"], **options)
    if "lr_mult" in case:
        optimizer.set_lr_mult(by_index(case["lr_mult"]))
        optimizer.set_wd_mult(by_index(case["wd_mult"]))
    return optimizer


def start(shapes):
    """Return weights, and a list of gradients for each step, the same in every setting."""
    random = onp.random.RandomState(11)
    draw = lambda: [random.randn(*shape).astype("float32") for shape in shapes]  # noqa: E731
    return draw(), [draw() for _ in range(STEPS)]


def run(case):
    """Return all weights after each step, one after the other in one row."""
    weights, steps = start(case.get("shapes", SHAPES))
    dtype = case.get("dtype", "float32")
    arrays = [mx.nd.array(weight, dtype=dtype) for weight in weights]
    updater = mx.optimizer.get_updater(make(case))
    mx.random.seed(23)
    rows = []
    for grads in steps:
        grads = [mx.nd.array(grad, dtype=dtype) for grad in grads]
        updater(list(range(len(arrays))), grads, arrays)
        shown = arrays if dtype == "float32" else masters(updater.states, arrays)
        rows.append(onp.concatenate([array.asnumpy().ravel() for array in shown]))
    return onp.stack(rows)


def masters(states, weights):
    """Return the float32 copies of half-precision weights, wherever they stand in the states."""
    return [
        next(
            part
            for part in states[index]
            if isinstance(part, mx.nd.NDArray)
            and part.dtype == onp.float32
            and part.shape == weight.shape
            and (part.astype("float16") == weight).asnumpy().all()
        )
        for index, weight in enumerate(weights)
    ]


def run_adamw(case):
    """Return what `run` would, of the operator that 1.9.1 has in place of the optimizer AdamW."""
    options = case["args"]
    beta1, beta2, rate = 0.9, 0.999, options["learning_rate"]
    weights, steps = start(SHAPES)
    rows = []
    for index, weight in enumerate(weights):
        array = mx.nd.array(weight)
        mean, var = mx.nd.zeros(weight.shape), mx.nd.zeros(weight.shape)
        row = []
        for count, grads in enumerate(steps, 1):
            correction = (1 - beta2**count) ** 0.5 / (1 - beta1**count)
            mx.nd.contrib.adamw_update(
                array,
                mx.nd.array(grads[index]),
                mean,
                var,
                options.get("rescale_grad", 1.0),
                lr=1.0,
                eta=rate * (correction if options.get("correct_bias", True) else 1.0),
                beta1=beta1,
                beta2=beta2,
                epsilon=1e-6,
                wd=options.get("wd", 0.0),
                clip_gradient=options.get("clip_gradient", -1.0),
                out=array,
            )
            row.append(array.asnumpy().ravel())
        rows.append(onp.stack(row))
    return onp.concatenate(rows, axis=1)


ADAMW = {
    "adamw": {"learning_rate": 0.1},
    "adamw-decay_clip": {
        "learning_rate": 0.05, "wd": 0.3, "clip_gradient": 0.4, "rescale_grad": 2.0
    },
    "adamw-uncorrected": {"learning_rate": 0.1, "wd": 0.1, "correct_bias": False},
}  # fmt: skip


def signatures():
    """Return the constructors' arguments and defaults by optimizer."""
    found = {}
    for name, cls in sorted(mx.optimizer.Optimizer.opt_registry.items()):
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        found[name] = [[p.name, p.default] for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return found


def main():
    """Write the files."""
    warnings.simplefilter("ignore")
    arrays, crashes = {}, {}
    settings = cases()
    for name, case in settings.items():
        try:
            arrays[name] = run(case)
        except Exception as error:  # noqa: BLE001 - whatever a bug in there raises
            crashes[name] = type(error).__name__
    for name, options in ADAMW.items():
        settings[name] = {"optimizer": "adamw", "args": options}
        arrays[name] = run_adamw(settings[name])
    here = Path(__file__).parent
    onp.savez_compressed(here / "optimizers.npz", **arrays)
    described = {
        "cases": {name: settings[name] for name in arrays},
        "crashes": crashes,
        "signatures": signatures(),
    }
    (here / "optimizers.json").write_text(json.dumps(described) + "\n")


if __name__ == "__main__":
    main()
