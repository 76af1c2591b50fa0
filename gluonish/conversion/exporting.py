"""Exports graphs with their parameters: programs of torch.export, and ONNX."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import logging
import math
import re
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.array.dtypes import torch_dtype
from gluonish.conversion import onnx_translations
from gluonish.conversion.graphs import load_model
from gluonish.conversion.plans import Converted
from gluonish.errors import ConversionError, MissingExtraError, MXNetError
from gluonish.serialization.files import is_url, replacing, replacing_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from gluonish.conversion.graphs import Model
    from gluonish.conversion.plans import Choices, Plan

_TOLERANCES: Final = {"float16": 1e-2, "bfloat16": 5e-2}  # of the largest number; else 1e-5
_TOLERANCE: Final = 1e-5
_LARGEST_MESSAGE: Final = 1_900_000_000  # bytes; protobuf takes 2 GiB
_PIECE: Final = 1 << 24  # bytes that are copied at a time
# What comes out of torch's exporters for a graph that they cannot follow.
_EXPORT_ERRORS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
_CHATTY: Final = ("torch.onnx", "torch.export", "onnxscript", "onnx_ir")


def export(plan: Plan, choices: Choices) -> Converted:
    """Export a graph; see `convert`.

    Raises
    ------
    ConversionError
        torch cannot export the graph, or the result computes something else.
    MissingExtraError
        A package is missing.
    """
    job, path = plan.job, plan.outputs[0]
    assert job.graph is not None  # noqa: S101 - the caller looked
    assert job.arrays is not None  # noqa: S101
    if choices.to == "onnx":
        _require("onnx", "onnxscript")
    model = load_model(job.graph, job.arrays, choices)
    examples = _examples(model, choices, 0)
    module = model.block.to_torch().eval()
    notes = list(model.notes)
    outputs = [path]

    def verified(written: str) -> str:
        return _verified(module, written, model, choices, notes) if choices.verify else ""

    with _quiet(), torch.no_grad():
        with _exporting(job.graph, choices):
            program = torch.export.export(
                module, examples, dynamic_shapes=_dynamic(examples, choices), strict=False
            )
        if choices.to == "pt2":
            with replacing(path) as stream:
                torch.export.save(program, stream)
                stream.flush()
                checks = verified(stream.name)
        else:
            names = [each.name for each in model.inputs]
            with _exporting(job.graph, choices):
                found: Any = torch.onnx.export(
                    program,
                    input_names=names,
                    output_names=model.outputs,
                    dynamo=True,
                    verbose=False,
                    custom_translation_table=onnx_translations.table(),
                )
            if _size(module) < _LARGEST_MESSAGE:
                with replacing(path) as stream:
                    stream.write(found.model_proto.SerializeToString())
                    stream.flush()
                    checks = verified(stream.name)
            else:
                further, checks = _write_large(found, path, verified)
                outputs.append(further)
    values = list(module.state_dict().values())
    return Converted(
        (job.arrays, job.graph),
        tuple(outputs),
        len(values),
        sum(value.numel() for value in values),
        sum(value.numel() * value.itemsize for value in values),
        checks,
        tuple(notes),
    )


def _examples(model: Model, choices: Choices, seed: int) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(seed)
    dtype = torch_dtype(choices.dtype or "float32")
    return tuple(
        each.example(generator).to(torch.float32 if each.integers_below else dtype)
        for each in model.inputs
    )


def _dynamic(examples: Sequence[torch.Tensor], choices: Choices) -> Any:  # noqa: ANN401
    if not choices.dynamic_batch:
        return None
    batch = torch.export.Dim("batch", min=1)
    first, *others = [{0: batch} if example.dim() else None for example in examples]
    return (first, tuple(others)) if others else (first,)


@contextlib.contextmanager
def _exporting(graph: str, choices: Choices) -> Iterator[None]:
    """Say of torch's errors which graph cannot be exported."""
    try:
        yield
    except _EXPORT_ERRORS as error:
        if isinstance(error, MXNetError):
            raise
        raise _refusal(graph, choices, error) from error


def _size(module: torch.nn.Module) -> int:
    return sum(value.numel() * value.itemsize for value in module.state_dict().values())


def _write_large(
    program: Any,  # noqa: ANN401 - torch's ONNXProgram
    path: str,
    verified: Callable[[str], str],
) -> tuple[str, str]:
    """Write a model whose values stand in a file of their own; return its name, and the checks."""
    name = re.split(r"[/\\]", path)[-1]
    beside = None if is_url(path) else Path(path).parent
    with tempfile.TemporaryDirectory(dir=beside, prefix=f".{name}.") as folder:
        model = Path(folder, name)
        program.save(model, external_data=True)
        (values,) = (each for each in Path(folder).iterdir() if each != model)
        checks = verified(str(model))
        further = path.removesuffix(name) + values.name
        with replacing_together(further, path) as streams:
            for source, stream in zip((values, model), streams, strict=True):
                with source.open("rb") as content:
                    shutil.copyfileobj(content, stream, _PIECE)
    return further, checks


def _verified(
    module: torch.nn.Module, path: str, model: Model, choices: Choices, notes: list[str]
) -> str:
    """Compare what was written with the source on random inputs; return what was found."""
    others = _runner(path, model, choices, notes)
    if others is None:
        return "a valid model"
    sizes = [None, 3] if choices.dynamic_batch else [None]
    tolerance = _TOLERANCES.get(choices.dtype or "", _TOLERANCE)
    gaps = []
    for seed, batch in enumerate(sizes):
        given = _examples(model, choices, seed + 1)
        if batch is not None:
            given = tuple(torch.cat([each[:1]] * batch) for each in given)
        gaps.append(_difference(_flat(module(*given)), others(given)))
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
    return f"outputs equal{gap} for {batches}, by {runner}"


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


def _refusal(graph: str, choices: Choices, error: Exception) -> ConversionError:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    fix = (
        "Some operator of it needs to know the batch: leave out --dynamic-batch"
        if choices.dynamic_batch
        else "Convert the parameters alone, with --to safetensors, or report this"
    )
    msg = (
        f"{graph!r}: torch cannot export the graph to {choices.to} ({lines[0]}). Expected a graph "
        f"of operators that it can. {fix}."
    )
    return ConversionError(msg)


def _require(*names: str) -> None:
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        msg = (
            f"{' and '.join(missing)} {'are' if len(missing) > 1 else 'is'} not installed. "
            f"Expected it for writing ONNX models. Install it with: pip install 'gluonish[onnx]'"
        )
        raise MissingExtraError(msg)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what exporters say of their own doing from people."""
    loggers = [logging.getLogger(name) for name in _CHATTY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
