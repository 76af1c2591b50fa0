"""Checks that an exported model computes what its source does."""

from __future__ import annotations

import importlib
import importlib.util
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import ConversionError, MXNetError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from gluonish.conversion.graphs import Model
    from gluonish.conversion.plans import Choices

_TOLERANCES: Final = {"float16": 1e-2, "bfloat16": 5e-2}  # of the largest number; else 1e-5
_TOLERANCE: Final = 1e-5
_RUNS: Final = 32  # of graphs that draw
_CHANCE: Final = 1e-6  # that equal distributions are taken for different ones
_MOST_ELEMENTS: Final = 100_000  # of an output that are compared one by one
_NOT_A_NUMBER: Final = 1e300  # its place among numbers


def examples_of(model: Model, choices: Choices, seed: int) -> tuple[torch.Tensor, ...]:
    """Return random inputs of a model."""
    generator = torch.Generator().manual_seed(seed)
    dtype = torch_dtype(choices.dtype or "float32")
    return tuple(
        each.example(generator).to(torch.float32 if each.integers_below else dtype)
        for each in model.inputs
    )


def verify(
    module: torch.nn.Module,
    path: str,
    model: Model,
    choices: Choices,
    notes: list[str],
    *,
    draws: bool,
) -> str:
    """Compare what was written with the source on random inputs; return what was found.

    Parameters
    ----------
    module : torch.nn.Module
        The source.
    path : str
        What was written.
    model : Model
        What the source takes and returns.
    choices : Choices
        What was asked for.
    notes : list of str
        What a person should know; some may be added.
    draws : bool
        Whether the graph draws random numbers: then many runs are compared, by how their results
        are distributed.

    Raises
    ------
    ConversionError
        The two compute something else.
    """
    others = _runner(path, model, choices, notes)
    if others is None:
        return "a valid model"
    sizes = [None, 3] if choices.dynamic_batch else [None]
    tolerance = _TOLERANCES.get(choices.dtype or "", _TOLERANCE)
    gaps = []
    for seed, batch in enumerate(sizes):
        given = examples_of(model, choices, seed + 1)
        if batch is not None:
            given = tuple(torch.cat([each[:1]] * batch) for each in given)
        given, expected = _first_run(module, given)
        if draws:
            gaps.append(_compare_draws(module, others, given, model, choices, tolerance))
        else:
            gaps.append(_difference(expected, others(given)))
    largest = max(gaps, key=lambda gap: math.inf if math.isnan(gap) else gap)
    if not largest <= tolerance:
        msg = (
            f"Converting to {choices.to}: for random inputs the outputs differ by {largest:.3g} of "
            f"the largest number. Expected at most {tolerance:g}. Nothing was written; report this "
            f"with the output of `gluonish doctor`."
        )
        raise ConversionError(msg)
    runner = "onnx.checker and onnxruntime" if choices.to == "onnx" else "torch.export.load"
    batches = "batches of 2 and 3" if choices.dynamic_batch else "random inputs"
    gap = f" to {largest:.1g}" if largest else ""
    if draws:
        return (
            f"outputs that are drawn have the same shape, type and distribution in "
            f"{_RUNS} runs, others equal{gap}, for {batches}, by {runner}"
        )
    return f"outputs equal{gap} for {batches}, by {runner}"


def _first_run(
    module: torch.nn.Module, given: tuple[torch.Tensor, ...]
) -> tuple[tuple[torch.Tensor, ...], list[torch.Tensor]]:
    """Return inputs and results; where numbers from -1 to 1 are refused, of those from 0."""
    with torch.random.fork_rng(devices=[]):
        try:
            return given, _flat(module(*given))
        except MXNetError:
            given = tuple(each.abs() for each in given)
            return given, _flat(module(*given))


def _compare_draws(
    module: torch.nn.Module,
    others: Any,  # noqa: ANN401 - a function
    given: tuple[torch.Tensor, ...],
    model: Model,
    choices: Choices,
    tolerance: float,
) -> float:
    """Return the largest difference of outputs that no draw changes, as `_difference` does.

    Raises
    ------
    ConversionError
        Others have other shapes or types, or are distributed otherwise.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        expected = [_flat(module(*given)) for _ in range(_RUNS)]
        found = [others(given) for _ in range(_RUNS)]
    largest = 0.0
    for place, name in enumerate(model.outputs):
        ours, theirs = [run[place] for run in expected], [run[place] for run in found]
        gap = _difference(ours[:1], theirs[:1])
        if all(torch.equal(ours[0], each) for each in ours):
            largest = max(largest, gap)
            continue
        kinds = {(each.shape, each.dtype) for each in (*ours, *theirs)}
        if len(kinds) == 1 and _alike(torch.stack(ours), torch.stack(theirs), tolerance):
            continue
        what = "distributed otherwise" if len(kinds) == 1 else "of another shape or type"
        msg = (
            f"Converting to {choices.to}: in {_RUNS} runs with the same inputs, what is drawn for "
            f"the output {name!r} is {what}. Expected draws like the graph's. Nothing was "
            f"written; report this with the output of `gluonish doctor`."
        )
        raise ConversionError(msg)
    return largest


def _alike(ours: torch.Tensor, theirs: torch.Tensor, tolerance: float) -> bool:
    """Return whether two sets of runs, shape (runs, *), may have one distribution.

    Each element, and what each run's elements have in common, is compared by how far the two
    shares of runs below any value are apart (Kolmogorov and Smirnov). The limit is one that equal
    distributions of any kind exceed with a probability below one in a million. Values count as
    equal up to the tolerance, as in `_difference`.
    """
    tables = []
    for each in (ours, theirs):
        flat = each.double().flatten(1).nan_to_num(nan=_NOT_A_NUMBER)
        finite = flat.clamp(-_NOT_A_NUMBER, _NOT_A_NUMBER)
        common = [finite.mean(1), finite.std(1, correction=0), flat.amin(1), flat.amax(1)]
        step = -(-flat.shape[1] // _MOST_ELEMENTS)
        tables.append(torch.cat([flat[:, ::step], torch.stack(common, 1)], 1))
    runs, count = tables[0].shape
    values, order = torch.cat(tables).sort(dim=0)
    apart = torch.where(order < runs, 1, -1).cumsum(0).abs()
    is_last = torch.ones_like(apart, dtype=torch.bool)  # of values that count as equal
    scale = values[:-1].abs().clamp(1, _NOT_A_NUMBER)
    is_last[:-1] = values[1:] - values[:-1] > tolerance * scale
    largest = int((apart * is_last).max())
    chance = 2 * math.comb(2 * runs, runs - largest) / math.comb(2 * runs, runs)
    return chance * count > _CHANCE


def _runner(path: str, model: Model, choices: Choices, notes: list[str]) -> Any:  # noqa: ANN401 - a function
    """Return what runs a written model; None, with a note, where nothing here can."""
    if choices.to == "pt2":
        with Path(path).open("rb") as stream:  # its name may have any end
            loaded = torch.export.load(stream).module()
        return lambda given: _flat(loaded(*given))
    onnx = importlib.import_module("onnx")
    onnx.checker.check_model(path, full_check=True)
    if importlib.util.find_spec("onnxruntime") is None:
        notes.append(
            "checked by onnx.checker alone, since onnxruntime is not installed: "
            "pip install 'gluonish[onnx]'"
        )
        return None
    runtime: ModuleType = importlib.import_module("onnxruntime")
    unknown = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state").NotImplemented
    try:
        session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except unknown as error:
        notes.append(f"checked by onnx.checker alone; onnxruntime on the CPU: {error}")
        return None
    # Inputs that do not matter are left out of the model.
    kept = {each.name for each in session.get_inputs()}

    def run(given: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        named = {
            each.name: tensor.numpy()
            for each, tensor in zip(model.inputs, given, strict=True)
            if each.name in kept
        }
        return [torch.from_numpy(value) for value in session.run(None, named)]

    return run


def _flat(outputs: Any) -> list[torch.Tensor]:  # noqa: ANN401 - nested
    if isinstance(outputs, torch.Tensor):
        return [outputs.detach()]
    return [tensor for part in outputs for tensor in _flat(part)]


def _difference(found: Sequence[torch.Tensor], expected: Sequence[torch.Tensor]) -> float:
    """Return the largest difference, in parts of the largest number if that is above 1."""
    largest = 0.0
    for ours, theirs in zip(found, expected, strict=True):
        if ours.shape != theirs.shape or not torch.equal(ours.isnan(), theirs.isnan()):
            return math.inf
        if ours.numel():
            gap = (ours.double() - theirs.double()).abs()
            gap = torch.where(ours.isnan() | (ours == theirs), 0.0, gap)
            scale = max(1.0, float(theirs.double().nan_to_num(posinf=0, neginf=0).abs().max()))
            largest = max(largest, float(gap.max()) / scale)
    return largest
