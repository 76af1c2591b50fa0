"""Exports graphs with their parameters: programs of torch.export, and ONNX."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import logging
import re
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.conversion import onnx_translations
from gluonish.conversion.callers import callers_of
from gluonish.conversion.graphs import Model, load_model
from gluonish.conversion.plans import Converted
from gluonish.conversion.verifying import examples_of, verify
from gluonish.errors import ConversionError, MissingExtraError, MXNetError
from gluonish.errors.wording import listed
from gluonish.serialization.files import is_url, replacing, replacing_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.conversion.plans import Choices, PlannedJob

_LARGEST_MESSAGE: Final = 1_900_000_000  # bytes; protobuf takes 2 GiB
_MISSING: Final = re.compile(r"No ONNX function found for <OpOverload\(op='([\w.]+)'")
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


def export(plan: PlannedJob, choices: Choices) -> Converted:
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
    examples = examples_of(model, choices, 0)
    module = model.block.to_torch().eval()
    notes = list(model.notes)
    outputs = [path]

    def verified(written: str) -> str:
        if not choices.verify:
            return ""
        return verify(module, written, model, choices, notes, draws=_draws(program))

    with _quiet(), torch.no_grad():
        with _exporting(job.graph, choices, module, examples):
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
            with _exporting(job.graph, choices, module, examples):
                found: Any = torch.onnx.export(
                    program,
                    input_names=names,
                    output_names=onnx_translations.output_names(model.outputs, names),
                    dynamo=True,
                    verbose=False,
                    optimize=False,
                    custom_translation_table=onnx_translations.table(),
                )
                onnx_translations.keep_constants(found.model)
                onnx_translations.keep_parameters(found.model, _names_in_graph(model, module))
                found.optimize()
            onnx_translations.keep_constants(found.model)
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


def _names_in_graph(model: Model, module: torch.nn.Module) -> dict[str, str]:
    """Return the names that parameters have in the graph, by those in its module.

    These lack what all of the graph's begin with.
    """
    full, keys = list(model.block.collect_params()), list(module.state_dict())
    starts = (name.removesuffix(keys[0]) for name in full if keys and name.endswith(keys[0]))
    for start in starts:
        if {start + key for key in keys} == set(full):
            return {key: start + key for key in keys}
    return {}


def _dynamic(examples: Sequence[torch.Tensor], choices: Choices) -> Any:  # noqa: ANN401
    if not choices.dynamic_batch:
        return None
    batch = torch.export.Dim("batch", min=1)
    first, *others = [{0: batch} if example.dim() else None for example in examples]
    return (first, tuple(others)) if others else (first,)


@contextlib.contextmanager
def _exporting(
    graph: str, choices: Choices, module: torch.nn.Module, examples: Sequence[torch.Tensor]
) -> Iterator[None]:
    """Say of torch's errors which graph cannot be exported, and by which of its operators."""
    try:
        yield
    except _EXPORT_ERRORS as error:
        if isinstance(error, MXNetError):
            raise
        reason = _first_cause(error)
        missing = _MISSING.search(reason)
        if missing:
            found = callers_of(missing[1], module, examples)
            raise _no_operator(graph, choices, missing[1], found) from error
        raise _refusal(graph, choices, reason) from error


def _first_cause(error: BaseException) -> str:
    """Return the first line of what began a chain of errors."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0]


def _draws(program: torch.export.ExportedProgram) -> bool:
    """Return whether some operator of a program draws random numbers."""
    return any(
        torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())
        and not _only_trains(node)
        for part in program.graph_module.modules()
        if isinstance(part, torch.fx.GraphModule)
        for node in part.graph.nodes
    )


def _only_trains(node: torch.fx.Node) -> bool:
    """Return whether an operator would draw in training only, which it is told not to be in."""
    told = node.normalized_arguments(torch.nn.Module(), normalize_to_only_use_kwargs=True)
    return told is not None and told.kwargs.get("train") is False


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


def _refusal(graph: str, choices: Choices, reason: str) -> ConversionError:
    fix = (
        "Some operator of it needs to know the batch: leave out --dynamic-batch"
        if choices.dynamic_batch
        else "Convert the parameters alone, with --to safetensors, or report this"
    )
    msg = (
        f"{graph!r}: torch cannot export the graph to {choices.to} ({reason}). Expected a graph "
        f"of operators that it can. {fix}."
    )
    return ConversionError(msg)


def _no_operator(
    graph: str, choices: Choices, missing: str, users: Sequence[str]
) -> ConversionError:
    what = f"what {listed(users)} computes" if users else f"torch's {missing}"
    msg = (
        f"{graph!r}: {choices.to} has no operator for {what}. Expected a graph of those that it "
        f"has. Make what it computes an input of the graph, or convert --to pt2."
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
