"""A result without a gradient is traced to the line of the program that left the recording."""

from __future__ import annotations

import linecache

import pytest

import gluonish as mx

_BEGINNING = """
import gluonish as mx
from gluonish import autograd, gluon, nd
net = gluon.nn.Dense(1, in_units=3)
net.initialize()
l2 = gluon.loss.L2Loss()
data, label = nd.ones((2, 3)), nd.ones((2, 1))
"""


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            (
                "with autograd.record():\n    out = net(data)\nerror = l2(out, label)\n"
                "error.mean().backward()"
            ),
            "Line 10 computes error outside of the recording. Move that line into",
        ),
        (
            (
                "with autograd.record():\n    out = net(data)\n    with autograd.pause():\n"
                "        error = l2(out, label)\nautograd.backward(error)"
            ),
            "Line 11 computes error inside of pause(). Move it out of that block.",
        ),
        (
            (
                "with autograd.record():\n    out = net(data)\n    kept = out.detach()\n"
                "    error = l2(kept, label)\nerror.backward()"
            ),
            "Line 10 makes a constant, by .detach(). Leave that out.",
        ),
        (
            (
                "def train():\n    with autograd.record():\n        other = label.detach()\n"
                "        kept = nd.array(net(data) > 0)\n        error = l2(kept, other)\n"
                "    return error.backward()\ntrain()"
            ),
            "Line 11 makes a constant, by nd.array(...). Leave that out.",
        ),
        (
            "with autograd.record():\n    error = l2(label, label)\nerror.backward()",
            "an array x that is no Block's parameter needs x.attach_grad() before.",
        ),
        (
            "with autograd.record():\n    net(data)\nautograd.backward(l2(net(data), label))",
            "Compute it inside 'with autograd.record():'",
        ),
    ],
)
def test_line_that_leaves_the_recording_is_named(program: str, told: str) -> None:
    path = "a_program_of_gradients.py"
    text = _BEGINNING + program
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    with pytest.raises(mx.MXNetError) as caught:
        exec(compile(text, path, "exec"), {"__name__": "__main__"})
    assert told in str(caught.value)
