"""Write random.npz and random.json: what the real MXNet 1.9.1 draws, each case in a fresh process.

Run it with the Python that has mxnet 1.9.1: ``python tests/golden/make_random.py``. A call is
``[name, args, kwargs]``; ``{"array": [...], "dtype": ...}`` stands for an array of the front end.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SEEDS = [None, 0, 1, 42, 123456789, -3]
SIZES = [1, 2, 7, 20, 63, 64, 65, 100, 127, 128, 129, 1000, 1025, 5000, 65535, 65537, 100000]
MILLION = 1000003
KEPT = 256


def array(values, dtype="float32"):
    """Return the description of an array argument."""
    return {"array": values, "dtype": dtype}


def basic_calls(sizes):
    """Return uniform and normal calls of both front ends, and shuffles, for the sizes."""
    calls = []
    for size in sizes:
        calls += [
            ["np.random.uniform", [], {"size": size}],
            ["np.random.normal", [], {"size": size}],
            ["nd.random.uniform", [], {"shape": size}],
            ["nd.random.normal", [], {"shape": size}],
            ["nd.random.randint", [0, 1000], {"shape": size}],
            ["shuffle", [size], {}],
        ]
    return calls


def np_calls():
    """Return calls of every distribution of the np front end."""
    size = {"size": [7, 9]}
    calls = []
    for dtype in ("float16", "float32", "float64"):
        typed = {"size": [7, 9], "dtype": dtype}
        calls += [
            ["np.random.uniform", [-1.3, 2.7], typed],
            ["np.random.normal", [0.3, 1.7], typed],
            ["np.random.gamma", [2.0, 1.5], typed],
            ["np.random.beta", [2.0, 3.0], typed],
            ["np.random.chisquare", [3.0], typed],
            ["npx.random.bernoulli", [0.3], typed],
            ["npx.random.uniform_n", [1.0, 3.0], {"batch_shape": [5], "dtype": dtype}],
            ["npx.random.normal_n", [1.0, 3.0], {"batch_shape": [5], "dtype": dtype}],
        ]
    calls += [
        ["np.random.uniform", [], {}],
        ["np.random.normal", [], {}],
        ["np.random.uniform", [1e-3, 1e10], size],
        ["np.random.uniform", [array([0.0, 1.0, 2.0]), array([[1.0], [5.0]])], {}],
        ["np.random.uniform", [array([0.0, 1.0, 2.0]), 4.5], {"size": [5, 3]}],
        ["np.random.normal", [array([0.0, 10.0, 20.0]), 0.5], {"size": [5, 3]}],
        ["np.random.normal", [0.1, array([1.0, 2.0])], {}],
        ["np.random.lognormal", [0.3, 0.5], size],
        ["np.random.randn", [3, 5], {}],
        ["np.random.rand", [3, 5], {}],
        ["np.random.randint", [10], size],
        ["np.random.randint", [-5, 10], size],
        ["np.random.randint", [-5, 2000000000], size],
        ["np.random.randint", [0, 10], {"size": [7], "dtype": "int32"}],
        ["npx.random.bernoulli", [], {"logit": 0.3, "size": [7, 9]}],
        ["npx.random.bernoulli", [], {"prob": array([0.1, 0.5, 0.9]), "size": [9, 3]}],
        ["np.random.exponential", [2.5], size],
        ["np.random.exponential", [array([1.0, 2.0])], {"size": [6, 2]}],
        ["np.random.choice", [10], size],
        ["np.random.choice", [10, 4], {"replace": False}],
        ["np.random.choice", [10, 7], {"replace": False}],
        ["np.random.choice", [1000, 300], {"replace": False}],
        ["np.random.choice", [1000, 900], {"replace": False}],
        ["np.random.choice", [4], {"size": [30], "p": array([0.1, 0.2, 0.3, 0.4])}],
        ["np.random.choice", [4, 3], {"replace": False, "p": array([0.1, 0.2, 0.3, 0.4])}],
        ["np.random.choice", [array([1.5, 2.5, 3.5]), 8], {}],
        ["np.random.multinomial", [20, [0.2, 0.3, 0.5]], {}],
        ["np.random.multinomial", [20, [0.2, 0.3, 0.5]], {"size": [4, 2]}],
        ["np.random.multinomial", [20, array([0.2, 0.3, 0.5])], {"size": 4}],
        ["np.random.multinomial", [20, array([0.2, 0.3, 0.5], "float64")], {"size": 4}],
        ["np.random.gamma", [0.5, 2.0], size],
        ["np.random.gamma", [array([0.5, 2.0, 9.0]), 2.0], {"size": [9, 3]}],
        ["np.random.gamma", [2.0], {}],
        ["np.random.weibull", [1.7], size],
        ["np.random.pareto", [1.7], size],
        ["np.random.power", [1.7], size],
        ["np.random.rayleigh", [1.7], size],
        ["np.random.logistic", [1.0, 1.7], size],
        ["np.random.gumbel", [1.0, 1.7], size],
        ["np.random.weibull", [array([1.0, 2.0])], {}],
        ["np.random.pareto", [array([1.0, 2.0])], {}],
        ["np.random.rayleigh", [array([1.0, 2.0])], {}],
        ["np.random.logistic", [array([1.0, 2.0])], {}],
        ["np.random.gumbel", [array([1.0, 2.0])], {}],
        [
            "np.random.multivariate_normal",
            [array([1.0, 2.0]), array([[2.0, 0.5], [0.5, 1.0]])],
            {"size": [5]},
        ],
        ["shuffle", [11], {}],
        ["shuffle_rows", [11], {}],
        ["shuffle", [5000], {}],
        ["shuffle_rows", [5000], {}],
        ["shuffle_rows", [1], {}],
        ["np.random.uniform", [], {"size": 3}],
    ]
    return calls


def nd_calls():
    """Return calls of every distribution of the nd front end."""
    shape = {"shape": [7, 19]}
    calls = []
    for dtype in ("float16", "float32", "float64"):
        typed = {"shape": [7, 19], "dtype": dtype}
        calls += [
            ["nd.random.uniform", [-1.3, 2.7], typed],
            ["nd.random.normal", [0.3, 1.7], typed],
            ["nd.random.exponential", [2.5], typed],
            ["nd.random.gamma", [2.0, 1.5], typed],
            ["nd.random.poisson", [3.0], typed],
            ["nd.random.negative_binomial", [3, 0.4], typed],
            ["nd.random.generalized_negative_binomial", [3.0, 0.4], typed],
            ["dropout", [[7, 19], 0.3], {"dtype": dtype}],
            ["dropout", [[7, 19], 0.3], {"dtype": dtype, "axes": [0]}],
        ]
    calls += [
        ["nd.random.uniform", [], {}],
        ["nd.random.normal", [], {}],
        ["nd.random.randn", [3, 5], {"loc": 1.0, "scale": 2.0}],
        ["nd.random.uniform", [1e-3, 1e10], shape],
        ["nd.random.uniform", [123.456, 789.123], shape],
        ["nd.random.normal", [1.1e-5, 1234567.891], shape],
        ["nd.random.uniform", [array([0.0, 10.0]), array([1.0, 20.0])], {"shape": [40]}],
        ["nd.random.normal", [array([0.0, 10.0]), array([1.0, 20.0])], {"shape": [40]}],
        ["nd.random.normal", [array([[0.0, 10.0]]), array([[1.0, 20.0]])], {}],
        [
            "nd.random.uniform",
            [array([0.0, 10.0]), array([1.0, 20.0])],
            {"shape": [3], "dtype": "float64"},
        ],
        ["nd.random.exponential", [array([1.0, 4.0])], {"shape": [40]}],
        ["nd.random.gamma", [array([0.5, 4.0]), array([1.0, 2.0])], {"shape": [40]}],
        ["nd.random.poisson", [array([1.0, 4.0])], {"shape": [40]}],
        ["nd.random.poisson", [array([1.0, 40.0])], {"shape": [40]}],
        ["nd.random.negative_binomial", [array([1, 4]), array([0.3, 0.8])], {"shape": [40]}],
        [
            "nd.random.generalized_negative_binomial",
            [array([1.0, 4.0]), array([0.3, 0.8])],
            {"shape": [40]},
        ],
        ["nd.random.gamma", [0.5, 2.0], shape],
        ["nd.random.gamma", [9.0, 2.0], {"shape": [3000]}],
        ["nd.random.poisson", [11.5], {"shape": [3000]}],
        ["nd.random.poisson", [30.0], shape],
        ["nd.random.negative_binomial", [30, 0.2], shape],
        ["nd.random.generalized_negative_binomial", [30.0, 0.2], shape],
        ["nd.random.generalized_negative_binomial", [3.0, 0.0], shape],
        ["nd.random.randint", [-5, 10], shape],
        ["nd.random.randint", [-5, 4000000000], {"shape": [70], "dtype": "int64"}],
        ["nd.random.multinomial", [array([0.2, 0.3, 0.5])], {}],
        ["nd.random.multinomial", [array([0.2, 0.3, 0.5])], {"shape": 20}],
        ["nd.random.multinomial", [array([[0.2, 0.8], [0.7, 0.3]])], {"shape": [4, 5]}],
        ["nd.random.multinomial", [array([[0.2, 0.8], [0.7, 0.3]])], {"dtype": "float32"}],
        ["nd.random.uniform_like", [array([[0.2, 0.8], [0.7, 0.3]])], {}],
        ["nd.random.normal_like", [array([[0.2, 0.8], [0.7, 0.3]])], {"loc": 2.0}],
        ["nd.random.exponential_like", [array([[0.2, 0.8], [0.7, 0.3]])], {"lam": 2.0}],
        ["nd.random.gamma_like", [array([[0.2, 0.8], [0.7, 0.3]])], {"alpha": 2.0}],
        ["nd.random.poisson_like", [array([[0.2, 0.8], [0.7, 0.3]])], {"lam": 2.0}],
        ["nd.random_uniform", [], {"low": 1.0, "high": 3.0, "shape": [5]}],
        ["nd.random_exponential", [], {"lam": 3.0, "shape": [5]}],
        ["nd.sample_uniform", [array([0.0, 1.0]), array([1.0, 3.0])], {"shape": [5]}],
        ["nd.uniform", [], {"shape": [5]}],
        ["nd.normal", [], {"shape": [5]}],
        ["dropout", [[7, 19], 0.123456], {}],
        ["dropout", [[300, 300], 0.5], {}],
        ["dropout", [[30, 3], 1.0], {}],
        ["nd.random.uniform", [], {"shape": 3}],
    ]
    return calls


def mixed_calls(salt):
    """Return a mix of calls in a fixed disorder, with seedings between them."""
    state = salt
    calls = []
    pool = [call for call in np_calls() + nd_calls() if call[0] in EXACT]
    for _ in range(110):
        state = (state * 1103515245 + 12345) % 2**31
        pick, size = state >> 8, 1 + (state >> 12) % (10 ** (1 + state % 5))
        kind = pick % 6
        if kind < 4:
            calls.append(basic_calls([size])[pick % 5])
        else:
            calls.append(pool[pick % len(pool)])
        if pick % 23 == 0:
            calls.append(["seed", [size - 5000], {}])
    return calls


EXACT = {
    "np.random.uniform",
    "np.random.randn",
    "np.random.rand",
    "np.random.randint",
    "npx.random.bernoulli",
    "np.random.choice",
    "np.random.multinomial",
    "shuffle",
    "shuffle_rows",
    "nd.random.uniform",
    "nd.random.randint",
    "nd.random.multinomial",
    "nd.random.gamma",
    "nd.random.poisson",
    "dropout",
}


def seeded_each(calls):
    """Return the calls, each after a seeding and before a look at where both generators are."""
    found = []
    for number, call in enumerate(calls):
        found += [
            ["seed", [100 + number], {}],
            call,
            ["np.random.uniform", [], {"size": 1}],
            ["nd.random.uniform", [], {"shape": 130}],
        ]
    return found


def cases():
    """Return all cases: name, seeding and calls."""
    found = {}
    for seed in SEEDS:
        before = [] if seed is None else [["seed", [seed], {}]]
        found[f"basic_{seed}"] = before + basic_calls(SIZES)
    found["context_seed"] = [["seed", [42, "cpu"], {}], *basic_calls([5, 500])]
    found["wrapping_seed"] = [["seed", [2**31 + 12345], {}], *basic_calls([5, 500])]
    found["million"] = [["seed", [7], {}], *basic_calls([MILLION])]
    found["np_sequence"] = np_calls()
    found["nd_sequence"] = nd_calls()
    found["np_each"] = seeded_each(np_calls())
    found["nd_each"] = seeded_each(nd_calls())
    for salt in (11, 12, 13):
        found[f"mixed_{salt}"] = mixed_calls(salt)
    return found


def play(calls):
    """Run the calls under MXNet and return their results as NumPy arrays."""
    import mxnet as mx
    import numpy as onp

    mx.npx.set_np()

    def build(value, front):
        if isinstance(value, dict):
            made = mx.np.array if front == "np" else mx.nd.array
            return made(onp.array(value["array"], value["dtype"]), dtype=value["dtype"])
        return tuple(value) if isinstance(value, list) and front == "nd" else value

    results = []
    for name, args, kwargs in calls:
        if name == "seed":
            args = [args[0], mx.cpu()] if len(args) == 2 else args
            mx.random.seed(*args)
            continue
        if name == "shuffle":
            value = mx.np.arange(args[0], dtype="int64")
            mx.np.random.shuffle(value)
        elif name == "shuffle_rows":
            value = mx.np.stack([mx.np.arange(args[0], dtype="int64")] * 2, axis=1)
            mx.np.random.shuffle(value)
            value = value[:, 0]
        elif name == "dropout":
            kwargs = dict(kwargs)
            ones = mx.nd.ones(tuple(args[0]), dtype=kwargs.pop("dtype", "float32"))
            with mx.autograd.record():
                value = mx.nd.Dropout(ones, p=args[1], **kwargs)
        else:
            front = "np" if name.startswith("np") else "nd"
            function = mx
            for part in name.split("."):
                function = getattr(function, part)
            args = [build(one, front) for one in args]
            kwargs = {key: build(one, front) for key, one in kwargs.items()}
            if "size" in kwargs and isinstance(kwargs["size"], list):
                kwargs["size"] = tuple(kwargs["size"])
            value = function(*args, **kwargs)
        results.append(value if isinstance(value, onp.ndarray) else onp.asarray(value.asnumpy()))
    return results


def pack(name):
    """Run one case in this process and write its part to the standard output."""
    import numpy as onp

    calls = cases()[name]
    results = iter(play(calls))
    rows = []
    for call in calls:
        if call[0] == "seed":
            rows.append({"call": call})
            continue
        value = next(results)
        row = {"call": call, "shape": list(value.shape), "dtype": str(value.dtype)}
        if value.size > KEPT:
            row["sha256"] = hashlib.sha256(onp.ascontiguousarray(value).tobytes()).hexdigest()
        else:
            row["hex"] = onp.ascontiguousarray(value).tobytes().hex()
        rows.append(row)
    return rows


def main():
    """Run every case in its own process and write the files."""
    import numpy as onp

    arrays, manifest = {}, {"mxnet": "1.9.1", "script": Path(__file__).name, "cases": {}}
    for name in cases():
        command = [sys.executable, __file__, name]
        done = subprocess.run(command, check=True, capture_output=True)
        rows = json.loads(done.stdout.decode().splitlines()[-1])
        for number, row in enumerate(rows):
            if "hex" in row:
                key = f"{name}_{number}"
                value = onp.frombuffer(bytes.fromhex(row.pop("hex")), row["dtype"])
                arrays[key] = value.reshape(row["shape"])
                row["key"] = key
        manifest["cases"][name] = rows
    onp.savez_compressed(HERE / "random.npz", **arrays)
    lines = [
        json.dumps(name) + ": [\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in manifest.pop("cases").items()
    ]
    head = json.dumps(manifest)[:-1]
    text = head + ', "cases": {\n' + ",\n".join(lines) + "\n}}\n"
    (HERE / "random.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write("\n" + json.dumps(pack(sys.argv[1])) + "\n")
    else:
        main()
