"""Work out what more workers cost than were measured: `python -m benchmarks.scaling`.

Each worker owns a part of all keys: it gets that part of the gradients from each of the others, and
sends what comes of it to each of them. So a worker sends 2 (n - 1) / n times the bytes of all
gradients in a step, hardly more for many than for few, in 2 (n - 1) messages for each bucket of
keys. What messages cost is an upper bound: as if a worker sent one after the other.
"""

from __future__ import annotations

from typing import NamedTuple

BUCKET = 25 * 2**20  # bytes of keys that go together
MESSAGE = 0.155e-3  # seconds of a message without content, half of an exchange on loopback


class Cost(NamedTuple):
    """What one step of one worker costs beside computing.

    Attributes
    ----------
    sent : float
        Bytes that it sends, and as many that it receives.
    messages : int
        In how many messages.
    carrying : float
        Seconds for the bytes.
    waiting : float
        Seconds for the messages, however little they carry.
    """

    sent: float
    messages: int
    carrying: float
    waiting: float

    @property
    def seconds(self) -> float:
        """All of it, one after the other."""
        return self.carrying + self.waiting


def cost(workers: int, size: float, bandwidth: float, message: float = MESSAGE) -> Cost:
    """Return the cost of a step.

    Parameters
    ----------
    workers : int
        How many there are.
    size : float
        Bytes of all gradients.
    bandwidth : float
        Bytes a second, in each direction at once.
    message : float
        Seconds for a message.
    """
    sent = 2 * size * (workers - 1) / workers
    messages = 2 * (workers - 1) * -(-int(size) // BUCKET)
    return Cost(sent, messages, sent / bandwidth, messages * message)


MODELS = {"the measured perceptron, 16.8 MB": 16.8e6, "ResNet-50, 102 MB": 102e6}
MODELS["10^9 weights, 4 GB"] = 4e9
NETWORKS = {"10 Gbit/s": 1.25e9, "100 Gbit/s": 12.5e9}
WORKERS = (8, 64, 1024)


def table() -> str:
    """Return the costs as a table in Markdown."""
    head = ["gradients", "workers", "a worker sends", "messages"]
    head += [f"seconds at {name}" for name in NETWORKS] + ["seconds for messages"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for name, size in MODELS.items():
        for workers in WORKERS:
            costs = [cost(workers, size, bandwidth) for bandwidth in NETWORKS.values()]
            first = costs[0]
            row = [name, f"{workers:,}", f"{first.sent / 1e6:,.0f} MB", f"{first.messages:,}"]
            row += [f"{one.carrying:.3f}" for one in costs] + [f"{first.waiting:.3f}"]
            lines.append(row)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def limit(bandwidth: float, message: float = MESSAGE) -> float:
    """Return with how many workers messages begin to cost more than what they carry."""
    return BUCKET / (bandwidth * message)


if __name__ == "__main__":
    import sys

    sys.stdout.write(table() + "\n")
    for network, speed in NETWORKS.items():
        sys.stdout.write(f"{network}: up to {limit(speed):.0f} workers\n")
