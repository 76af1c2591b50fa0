"""Converts files of MXNet, and to them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.conversion import exporting, states
from gluonish.conversion.array_conversion import (
    convert_arrays,
    convert_to_torchvision,
    convert_to_zoo,
)
from gluonish.conversion.finding import find_jobs
from gluonish.conversion.plans import (
    OF_GRAPHS,
    TORCHVISION,
    Choices,
    Converted,
    check,
    plan_outputs,
    zoo_maker,
)
from gluonish.serialization.files import is_url, path_text
from gluonish.serialization.kinds import TARGETS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.conversion.naming import Style
    from gluonish.conversion.plans import PlannedJob, Target
    from gluonish.serialization.files import PathLike


def convert(
    inputs: PathLike | Sequence[PathLike],
    to: Target,
    output: PathLike | None = None,
    *,
    epoch: int | None = None,
    dtype: str | None = None,
    names: Style | None = None,
    rename: Sequence[tuple[str, str]] = (),
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
    dynamic_batch: bool = False,
    verify: bool = True,
    force: bool = False,
    progress: bool | None = None,
    net: str | None = None,
) -> list[Converted]:
    """Convert files of MXNet to those of others, and back.

    Parameters
    ----------
    inputs : path or list of path
        Files, folders, patterns, URLs, or prefixes of checkpoints. Read are MXNet's parameters of
        any version, graphs, and states of optimizers; safetensors, `.npz`, `.npy`, IDX, and
        state_dicts of PyTorch. What belongs together by MXNet's naming is found.
    to : {'safetensors', 'torch', 'pt2', 'onnx', 'mxnet'} or str
        The format: a safetensors file; a state_dict of `torch.save`; a program of `torch.export`;
        ONNX; or what MXNet 1.9.1 reads. `pt2` and `onnx` need a graph beside the parameters. Or a
        network of the model zoo, such as `resnet50_v1`, whose parameters are filled with those
        that torchvision, timm or transformers have for it; or, the other way round, `torchvision`:
        the state_dict of torchvision's network of the same architecture.
    output : path, optional
        File or folder of the result; without it, it goes beside the source.
    epoch : int, optional
        Which epoch's parameters go with a graph; the last one's by default.
    dtype : {'float16', 'bfloat16', 'float32', 'float64'}, optional
        What floating-point numbers become; integers stay as they are.
    names : {'plain', 'keep', 'torch'}, optional
        Names of arrays: without `arg:` and `aux:` (the default); as in the file; or as PyTorch's
        layers call them, such as `bn0.weight` for `bn0_gamma`. For MXNet, the default is those
        that MXNet's files had, as far as they are known.
    rename : sequence of (str, str), optional
        Regular expressions and what replaces that which they match, applied to names in turn.
    input_shapes : dict of str to tuple of int, optional
        Shapes of a graph's inputs by name, for `pt2` and `onnx`.
    dynamic_batch : bool, default False
        Whether the result of `pt2` and `onnx` takes batches of any length.
    verify : bool, default True
        Whether results are read again: arrays have to be equal bit for bit, outputs of graphs for
        random inputs equal to 1e-5.
    force : bool, default False
        Whether files are replaced that exist already.
    progress : bool, optional
        Whether a bar shows the progress; by default on files of 64 MiB or more.
    net : str, optional
        For `torchvision`, the network of the model zoo that the file is of; by default the one
        that the file's name begins with.

    Returns
    -------
    list of Converted
        What was done, one for each source.

    Raises
    ------
    MissingFileError
        There is no such file, or no parameters that belong to a graph.
    ExistingFileError
        The result exists already.
    FileFormatError
        A source is damaged.
    ConversionError
        The result is not what it should be; nothing was written.

    Notes
    -----
    Arrays are read, written and verified one after another, so memory holds one of them; for
    PyTorch's format, whose writer takes all at once, all of them once. Sparse arrays become dense
    ones, except for MXNet.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> from gluonish.conversion import convert
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/net.params', {'arg:fc_weight': mx.nd.ones((2, 3))})
    ...     done, = convert(f'{folder}/net.params', 'safetensors')
    ...     arrays = mx.nd.load(f'{folder}/net.safetensors')
    >>> done.checks, list(arrays)
    ('1 array equal, bit for bit', ['fc_weight'])
    """
    choices = Choices(
        to,
        dtype,
        names,
        tuple(rename),
        input_shapes or {},
        dynamic_batch,
        verify,
        force,
        progress,
        net,
    )
    return [convert_one(plan, choices) for plan in planned(inputs, output, epoch, choices)]


def planned(
    inputs: PathLike | Sequence[PathLike],
    output: PathLike | None,
    epoch: int | None,
    choices: Choices,
) -> list[PlannedJob]:
    """Return what is to be done for arguments of `convert`, after all checks of names."""
    check(choices)
    given = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    needs_graph = choices.to in OF_GRAPHS
    jobs = find_jobs([path_text(path) for path in given], needs_graph=needs_graph, epoch=epoch)
    return plan_outputs(jobs, None if output is None else path_text(output), choices)


def convert_one(plan: PlannedJob, choices: Choices) -> Converted:
    """Do what one plan says."""
    for path in plan.outputs:
        if not is_url(path):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
    if choices.to == TORCHVISION:
        return convert_to_torchvision(plan, choices)
    maker = None if choices.to in TARGETS else zoo_maker(choices.to)
    if maker is not None:
        return convert_to_zoo(plan, choices, maker())
    if choices.to in OF_GRAPHS:
        return exporting.export(plan, choices)
    if plan.job.arrays is None:
        return states.convert_states(plan, choices)
    return convert_arrays(plan, choices)
