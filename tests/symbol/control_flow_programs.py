"""Programs with control flow, run under the real MXNet for golden values and by tests."""

from __future__ import annotations

import json

import numpy as onp


def numbers(seed, *shape):
    """Return an array of a fixed stream."""
    return onp.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def shown(value):
    """Return a nested list of arrays as numbers."""
    if isinstance(value, (list, tuple)):
        return [shown(part) for part in value]
    return value.asnumpy().tolist()


def on_arrays(mx, program, *values):
    """Return what a program makes of arrays, and the arrays' gradients."""
    arrays = [mx.nd.array(value) for value in values]
    for array in arrays:
        array.attach_grad()
    with mx.autograd.record():
        found = program(mx.nd, *arrays)
        total = sum((part * part).sum() for part in flat(found))
    total.backward()
    return {"results": shown(found), "grads": shown([array.grad for array in arrays])}


def flat(value):
    """Return the parts of a nested list."""
    if isinstance(value, (list, tuple)):
        return [part for each in value for part in flat(each)]
    return [value]


def in_graphs(mx, program, *values):
    """Return the graph of a program, its shapes, its results and gradients, twice."""
    names = "abcdef"[: len(values)]
    found = flat(program(mx.sym, *[mx.sym.var(name) for name in names]))
    net = mx.sym.Group([part for each in found for part in each])
    arrays = {name: mx.nd.array(value) for name, value in zip(names, values, strict=True)}
    result = {
        "outputs": net.list_outputs(),
        "arguments": net.list_arguments(),
        "shapes": net.infer_shape_partial(**{key: each.shape for key, each in arrays.items()})[0],
        "graph": json.loads(net.tojson()),
        "runs": [],
    }
    extra = {
        name: mx.nd.array(numbers(len(name), *shape))
        for name, shape in zip(result["arguments"], result["shapes"], strict=True)
        if name not in arrays
    }
    arrays.update(extra)
    executor = net.bind(
        mx.cpu(), arrays, {name: mx.nd.zeros(array.shape) for name, array in arrays.items()}
    )
    for _ in range(3):
        outputs = executor.forward(is_train=True)
        executor.backward([output * 2 for output in outputs])
        grads = {name: shown(grad) for name, grad in executor.grad_dict.items()}
        result["runs"].append({"results": shown(outputs), "grads": grads})
    return result


def running_sums(F, x, s, w):
    """Return sums and products of steps."""
    return F.contrib.foreach(lambda d, state: (d * w + state, state * d), x, s)


def nested_states(F, x, y, s):
    """Return loops over two arrays with states in lists."""

    def body(data, states):
        first, second = data
        return [first + states[0], second * 2], [states[0] * second, states[1] + first]

    return F.contrib.foreach(body, [x, y], [s, s + 1])


def loop_in_loop(F, x, s, w):
    """Return a loop whose steps are loops."""

    def outer(rows, state):
        return F.contrib.foreach(lambda d, inner: (d + inner * w, inner + d), rows, state)

    return F.contrib.foreach(outer, x, s)


def powers(F, i, s, w):
    """Return a loop that ends by itself, with as many steps as are allowed."""
    return F.contrib.while_loop(
        lambda i, s: i < 3, lambda i, s: ([i * s, s], [i + 1, s * w]), [i, s], max_iterations=3
    )


def capped(F, i, s):
    """Return a loop that ends because there were enough steps."""
    return F.contrib.while_loop(
        lambda i, s: s > i, lambda i, s: (s, [i + 1, s * 3]), [i, s], max_iterations=4
    )


def either(F, x, y):
    """Return one of two results."""
    return F.contrib.cond((x * y).sum() < 1, lambda: [x * y, x + 1], lambda: [x - y, y * y])


def branch_in_loop(F, x, s):
    """Return a loop whose steps choose."""

    def body(d, state):
        new = F.contrib.cond(d.sum() > 0, lambda: state + d, lambda: state * d)
        return new * 2, new

    return F.contrib.foreach(body, x, s)


def vectors(F, x, s):
    """Return a loop over numbers."""
    return F.contrib.foreach(lambda d, state: (d + state, d * state), x, s)


def dense_steps(F, x, s):
    """Return a recurrent net whose weights are variables of the loop's own."""

    def body(d, state):
        new = F.FullyConnected(d, num_hidden=4, name="i2h") + state
        new = F.tanh(new)
        return new, new

    return F.contrib.foreach(body, x, s)


def three_states(F, x, p, q, r, w):
    """Return a loop with three states, whose shared weight is used outside, too."""

    def body(d, states):
        first, second, third = states
        new = F.tanh(F.FullyConnected(d, weight=w, no_bias=True, num_hidden=4) + first)
        return [new, new * second], [new, second + third, third * 0.9 + new]

    outputs, last = F.contrib.foreach(body, x, [p, q, r])
    return [F.broadcast_mul(outputs[0], F.sum(w)), outputs[1], last]


def closures(F, x, s, u, v):
    """Return a loop over values that are computed outside, and used there again."""
    added = F.broadcast_add(u, v) * 2
    factor = F.exp(added)
    outputs, last = F.contrib.foreach(
        lambda d, state: (d * factor + added, state + F.broadcast_mul(F.sum(added), u)), x, s
    )
    return [F.broadcast_mul(outputs, F.sum(factor)), last + v]


def loops_in_branches(F, x, s, w):
    """Return what one of two loops gives."""

    def then():
        outputs, last = F.contrib.foreach(lambda d, state: (d * state, state + d * w), x, s)
        return [outputs, last]

    def otherwise():
        outputs, last = F.contrib.foreach(lambda d, state: (d - state, state * d), x, s * w)
        return [outputs, last]

    return F.contrib.cond(F.sum(s * w) > 0, then, otherwise)


def two_loops(F, x, s, w):
    """Return a loop over what another one gives, with the same weight."""
    outputs, last = F.contrib.foreach(
        lambda d, state: (
            F.FullyConnected(d + state, weight=w, no_bias=True, num_hidden=3),
            state + d,
        ),
        x,
        s,
    )
    again, end = F.contrib.foreach(
        lambda d, state: (
            F.FullyConnected(d * state, weight=w, no_bias=True, num_hidden=3),
            state - d,
        ),
        outputs,
        last,
    )
    return [again, end]


def loop_in_while(F, i, s, x, w):
    """Return a loop that ends by itself, whose steps are loops over the same data."""

    def body(i, s):
        outputs, last = F.contrib.foreach(lambda d, state: (d * w + state, state * 0.5 + d), x, s)
        return [F.sum(outputs, axis=0), F.broadcast_mul(last, i)], [i + 1, last + w]

    return F.contrib.while_loop(lambda i, s: i < 3, body, [i, s], max_iterations=3)


def while_in_while(F, i, j, s, w):
    """Return a loop that ends by itself, whose steps end by themselves."""

    def body(i, s):
        outputs, (_, last) = F.contrib.while_loop(
            lambda k, inner: k < 2, lambda k, inner: (inner + w, [k + 1, inner * w]), [j, s],
            max_iterations=2,
        )  # fmt: skip
        return [last, F.sum(outputs, axis=0)], [i + 1, last + s]

    return F.contrib.while_loop(lambda i, s: i < 3, body, [i, s], max_iterations=3)


def branch_in_while(F, i, s, w):
    """Return a loop that ends by itself, whose steps choose."""

    def body(i, s):
        new = F.contrib.cond(F.sum(s) > F.sum(w), lambda: s * w - 1, lambda: s + w)
        return new, [i + 1, new]

    return F.contrib.while_loop(lambda i, s: i < 4, body, [i, s], max_iterations=4)


def while_in_loop(F, x, s, i, w):
    """Return a loop whose steps end by themselves."""

    def body(d, state):
        outputs, (_, last) = F.contrib.while_loop(
            lambda j, inner: j < 2, lambda j, inner: (inner * w, [j + 1, inner + d]), [i, state],
            max_iterations=2,
        )  # fmt: skip
        return F.sum(outputs, axis=0) + last, last * 0.5

    return F.contrib.foreach(body, x, s)


EAGER_ONLY = ("branch_in_loop", "nested_states", "while_in_loop")
ONE = onp.ones(1, dtype="float32")
PROGRAMS = {
    "running_sums": (running_sums, numbers(0, 3, 2), numbers(1, 2), numbers(2, 2)),
    "nested_states": (nested_states, numbers(0, 3, 2), numbers(1, 3, 2), numbers(2, 2)),
    "loop_in_loop": (loop_in_loop, numbers(0, 2, 3, 2), numbers(1, 2), numbers(2, 2)),
    "powers": (powers, 0 * ONE, 2 * ONE, 3 * ONE),
    "capped": (capped, 0 * ONE, 2 * ONE),
    "then": (either, numbers(0, 2), numbers(1, 2)),
    "else": (either, 2 * ONE, ONE),
    "branch_in_loop": (branch_in_loop, numbers(0, 4, 2), numbers(1, 2)),
    "vectors": (vectors, numbers(0, 4), numbers(1, 1)),
    "three_states": (
        three_states,
        numbers(1, 4, 2, 3),
        *(numbers(seed, 2, 4) for seed in (2, 3, 4)),
        numbers(5, 4, 3),
    ),
    "closures": (closures, numbers(1, 4, 2), numbers(2, 2), numbers(3, 2), numbers(4, 2)),
    "loop_then": (loops_in_branches, numbers(1, 3, 2), numbers(2, 2), numbers(2, 2)),
    "loop_else": (loops_in_branches, numbers(1, 3, 2), numbers(2, 2), -numbers(2, 2)),
    "two_loops": (two_loops, numbers(1, 4, 2, 3), numbers(2, 2, 3), numbers(3, 3, 3)),
    "loop_in_while": (loop_in_while, 0 * ONE, numbers(1, 2), numbers(2, 3, 2), numbers(3, 2)),
    "while_in_while": (while_in_while, 0 * ONE, 0 * ONE, numbers(1, 2), numbers(3, 2)),
    "branch_in_while": (branch_in_while, 0 * ONE, 2 * ONE, 1.5 * ONE),
    "while_in_loop": (while_in_loop, numbers(1, 3, 2), numbers(2, 2), 0 * ONE, numbers(3, 2)),
}
# MXNet itself cannot differentiate graphs of the programs that are left out here.
GRAPHS = {name: parts for name, parts in PROGRAMS.items() if name not in EAGER_ONLY}
GRAPHS |= {"dense_steps": (dense_steps, numbers(0, 3, 2, 5), numbers(1, 2, 4))}
