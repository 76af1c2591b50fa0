"""What gluonish costs beside PyTorch by hand, on one thread: `python -m benchmarks.cost`."""

from __future__ import annotations

import subprocess
import sys

import torch

import gluonish as mx
from benchmarks.side_by_side import microseconds, table
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn


def tiny_operators() -> str:
    """Time operators on arrays of six elements."""
    x, y = nd.ones((2, 3)), nd.ones((2, 3))
    a, b = x.tensor, y.tensor
    report = []
    pairs = {
        "x + y": (lambda: a + b, lambda: x + y),
        "x * 2": (lambda: a * 2, lambda: x * 2),
        "relu(x)": (lambda: torch.relu(a), lambda: nd.relu(x)),
        "exp(x)": (lambda: torch.exp(a), lambda: nd.exp(x)),
        "x.sum(axis=1)": (lambda: a.sum(dim=1), lambda: x.sum(axis=1)),
        "x[0]": (lambda: a[0], lambda: x[0]),
    }
    for name, (by_hand, ours) in pairs.items():
        times = microseconds({"torch": by_hand, "gluonish": ours})
        extra = times["gluonish"] - times["torch"]
        report.append(f"  {name:<16} torch {times['torch']:6.2f} us, gluonish +{extra:.2f} us")
    return "\n".join(["operators on (2, 3)", *report])


def perceptron(batch: int) -> str:
    """Time forward and training step of the 20-256-10 perceptron."""
    data, target = torch.rand(batch, 20), torch.randint(0, 10, (batch,))
    by_hand = torch.nn.Sequential(
        torch.nn.Linear(20, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)
    )
    optimizer = torch.optim.SGD(by_hand.parameters(), lr=0.01)
    cross_entropy = torch.nn.CrossEntropyLoss()

    def step_by_hand() -> None:
        optimizer.zero_grad()
        cross_entropy(by_hand(data), target).backward()
        optimizer.step()

    steps = {"torch": step_by_hand}
    forwards = {"torch": lambda: by_hand(data)}
    for mode in ("eager", "hybrid"):
        forwards[f"gluonish {mode}"], steps[f"gluonish {mode}"] = _ours(mode, data, target)
    return "\n".join(
        [
            table(f"20-256-10 perceptron, batch {batch}: forward", microseconds(forwards), "torch"),
            table(f"20-256-10 perceptron, batch {batch}: step", microseconds(steps), "torch"),
        ]
    )


def _ours(mode: str, data: torch.Tensor, target: torch.Tensor):
    x, label = nd.from_torch(data), nd.from_torch(target.float())
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(10))
    net.initialize()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    if mode == "hybrid":
        net.hybridize()
        loss.hybridize()
    net(x)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    batch = len(target)

    def step() -> None:
        with autograd.record():
            value = loss(net(x), label)
        value.backward()
        trainer.step(batch)

    return (lambda: net(x)), step


def importing() -> str:
    """Time `import gluonish` over `import torch`, in fresh processes."""

    def seconds(statement: str) -> float:
        code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
        runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
                for _ in range(5)]  # fmt: skip
        return min(float(run.stdout) for run in runs)

    torch_alone = seconds("import torch")
    return f"import gluonish: {seconds('import gluonish') - torch_alone:.3f} s over import torch"


def main() -> None:
    """Print all tables."""
    torch.set_num_threads(1)
    mx.random.seed(0)
    for part in (tiny_operators(), perceptron(2), perceptron(256), importing()):
        sys.stdout.write(part + "\n\n")


if __name__ == "__main__":
    main()
