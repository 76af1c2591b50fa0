"""What every layer has to do, whatever it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

import gluonish as mx

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gluonish.gluon import Block


def fresh_names() -> None:
    """Let the next Block be the first of its kind."""
    mx.name.current()._counter.clear()


def _values(shape: tuple[int, ...], seed: int, ids: int | None) -> onp.ndarray[Any, Any]:
    random = onp.random.default_rng(seed)
    if ids is not None:
        return random.integers(0, ids, shape).astype("float32")
    return random.normal(size=shape).astype("float32")


def _run(block: Block, values: list[onp.ndarray[Any, Any]], front: str) -> dict[str, Any]:
    """Return outputs, gradients and parameters of one training step and one prediction."""
    array = mx.nd.array if front == "nd" else mx.np.array
    inputs = [array(value) for value in values]
    for one in inputs:
        one.attach_grad()
    mx.random.seed(11)
    with mx.autograd.record():
        result = block(*inputs)
        weights = array(_values(result.shape, 5, None))
        total = (result * weights).sum()
    total.backward()
    found = {"trained": result, "predicted": block(*inputs)}
    found |= {f"gradient of input {place}": one.grad for place, one in enumerate(inputs)}
    for name, param in block._collect_params_with_prefix().items():
        found[name] = param.data()
        if param.grad_req != "null":
            found[f"gradient of {name}"] = param.grad()
    assert all(type(value) is type(inputs[0]) for value in (result, found["predicted"]))
    return {name: value.asnumpy() for name, value in found.items()}


def _assert_same(ours: dict[str, Any], expected: dict[str, Any], what: str) -> None:
    assert ours.keys() == expected.keys(), what
    for name, value in expected.items():
        close = {"rtol": 1e-6, "atol": 1e-6, "err_msg": f"{what}: {name}"}
        onp.testing.assert_allclose(ours[name], value, **close)


def _fill(block: Block, values: dict[str, Any]) -> None:
    for name, param in block._collect_params_with_prefix().items():
        param.set_data(mx.nd.array(values[name]))


def check_block(
    build: Callable[[], Block], *shapes: tuple[int, ...], path: Path, ids: int | None = None
) -> None:
    """Put a layer through what every layer has to do.

    Parameters
    ----------
    build : callable
        Returns a new layer.
    *shapes : tuple of int
        Shapes of its inputs.
    path : Path
        Folder for files.
    ids : int, optional
        Inputs are numbers below this instead of random ones.
    """
    values = [_values(shape, seed, ids) for seed, shape in enumerate(shapes)]
    block = build()
    block.initialize(mx.init.Normal(0.5))
    block(*map(mx.nd.array, values))
    start = {n: p.data().asnumpy() for n, p in block._collect_params_with_prefix().items()}
    eager = _run(block, values, "nd")
    _check_hybridized(build, values, start, eager)
    _check_np(build, values, start, eager)
    _check_files(build, block, values, path)
    assert repr(block) == repr(block)
    assert all(param.name.startswith(block.prefix) for param in block.params.values())


def _check_hybridized(
    build: Callable[[], Block],
    values: list[onp.ndarray[Any, Any]],
    start: dict[str, Any],
    eager: dict[str, Any],
) -> None:
    block = build()
    block.initialize()
    block.hybridize()
    block(*map(mx.nd.array, values))
    shapes = {n: p.shape for n, p in block._collect_params_with_prefix().items()}
    assert shapes == {name: value.shape for name, value in start.items()}
    for attempt in ("captured", "replayed"):
        _fill(block, start)
        _assert_same(_run(block, values, "nd"), eager, attempt)


def _check_np(
    build: Callable[[], Block],
    values: list[onp.ndarray[Any, Any]],
    start: dict[str, Any],
    eager: dict[str, Any],
) -> None:
    mx.npx.set_np()
    block = build()
    block.initialize()
    block(*map(mx.np.array, values))
    _fill(block, start)
    found = _run(block, values, "np")
    mx.npx.reset_np()
    _assert_same(found, eager, "np.ndarray")


def _check_files(
    build: Callable[[], Block], block: Block, values: list[onp.ndarray[Any, Any]], path: Path
) -> None:
    for name in ("net.params", "net.safetensors"):
        block.save_parameters(path / name)
        again = build()
        again.load_parameters(path / name)
        inputs = [mx.nd.array(value) for value in values]
        onp.testing.assert_array_equal(again(*inputs).asnumpy(), block(*inputs).asnumpy())
