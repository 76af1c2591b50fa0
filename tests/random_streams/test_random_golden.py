"""The random streams against what the real MXNet 1.9.1 drew."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
from random_golden import arrays, cases, digest, play

# A Cholesky factor and a matrix product come after the random numbers.
ROUNDED = {"np.random.multivariate_normal"}


def in_new_thread(check: Any, *args: Any) -> None:  # noqa: ANN401
    """Run a check where the generators are in the state of a new process."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            check(*args)
        except BaseException as error:  # noqa: BLE001 - handed over to the test's thread
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def check_case(name: str) -> None:
    for row in cases()[name]:
        call = row["call"]
        value = play(*call)
        if value is None:
            continue
        assert (list(value.shape), str(value.dtype)) == (row["shape"], row["dtype"]), call
        if "sha256" in row:
            assert digest(value) == row["sha256"], call
            continue
        expected = arrays()[row["key"]]
        if call[0] in ROUNDED:
            onp.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)
        else:
            onp.testing.assert_array_equal(value, expected, err_msg=str(call))


@pytest.mark.parametrize("name", sorted(cases()))
def test_draws_equal_mxnets_bit_for_bit(name: str) -> None:
    in_new_thread(check_case, name)


def test_a_new_process_starts_where_mxnet_does() -> None:
    code = "import gluonish as mx; print(mx.np.random.uniform(size=3).asnumpy().tobytes().hex())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    values = onp.frombuffer(bytes.fromhex(done.stdout), onp.float32)
    onp.testing.assert_array_equal(values, onp.float32([0.5488135, 0.5928446, 0.71518934]))
