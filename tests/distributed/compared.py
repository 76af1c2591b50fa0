"""Trains digits by all processes and by one with the whole batch; fails if parameters differ."""

from __future__ import annotations

import sys

from digits import trained

import gluonish as mx

OPTIMIZERS = {
    "sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3},
    "adam": {"learning_rate": 0.001},
}
LIMIT = 1e-5


def main():
    """Compare sgd with momentum and adam, with updates by the store and by the workers."""
    kv = mx.kv.create("dist_sync")
    worst = 0.0
    for name, options in OPTIMIZERS.items():
        for updates in (True, False):
            alone = trained(name, options, "device", updates)
            found = trained(name, options, "dist_sync", updates)
            pairs = zip(found, alone, strict=True)
            difference = max(float(abs(one - other).max()) for one, other in pairs)
            worst = max(worst, difference)
            if kv.rank == 0:
                sys.stdout.write(
                    f"{kv.num_workers} workers, {name}, update_on_kvstore={updates}: parameters "
                    f"differ from those of one process by {difference:.1e}\n"
                )
                sys.stdout.flush()
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
