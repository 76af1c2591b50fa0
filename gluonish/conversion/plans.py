"""What is to be converted to what: the choices of a person, and the plan for one file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gluonish.conversion.naming import STYLES
from gluonish.errors import ExistingFileError, InvalidArgumentError
from gluonish.errors.suggestions import did_you_mean
from gluonish.gluon.model_zoo.vision.making import MODELS
from gluonish.serialization.files import is_url
from gluonish.serialization.folders import exists
from gluonish.serialization.kinds import TARGETS, WRITERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.conversion.finding import Job
    from gluonish.conversion.naming import Style

Target: TypeAlias = str  # what a format's `target` is called
TORCHVISION: Final = "torchvision"  # the state_dict of a network that the zoo has, too
OF_GRAPHS: Final = tuple(TARGETS.keys() - WRITERS.keys())
DTYPES: Final = ("float16", "bfloat16", "float32", "float64")
_OF_ENDINGS: Final = {
    **dict.fromkeys(("keras", "tf", "tensorflow", "tflite", "h5"), "onnx"),
    "pth": "torch",
    "pt": "torch",
    "bin": "torch",
    "params": "mxnet",
}
_EPOCH: Final = re.compile(r"(?P<prefix>.*)-(?P<epoch>\d{4,})")


def zoo_name(stem: str) -> str | None:
    """Return the network of the model zoo that a file's name begins with, if there is one.

    Examples
    --------
    >>> from gluonish.conversion.plans import zoo_name
    >>> zoo_name('resnet50_v1-0aee57f9'), zoo_name('vgg16_bn'), zoo_name('net-0007')
    ('resnet50_v1', 'vgg16_bn', None)
    """
    names = {each.__name__ for each in MODELS.values()} | MODELS.keys()
    fits = [name for name in names if re.match(rf"{re.escape(name)}(?![\w.])", stem.lower())]
    return max(fits, key=len, default=None)


def zoo_maker(name: str) -> Callable[..., Any] | None:
    """Return the function that makes a network of the model zoo, by either of its names."""
    makers = {each.__name__: each for each in MODELS.values()} | MODELS
    return makers.get(name.lower())


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person asked for; see `convert`."""

    to: Target
    dtype: str | None = None
    names: Style | None = None
    renames: tuple[tuple[str, str], ...] = ()
    input_shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    dynamic_batch: bool = False
    verify: bool = True
    force: bool = False
    progress: bool | None = None
    net: str | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """What `convert` did with one source.

    Attributes
    ----------
    sources, outputs : tuple of str
        The files that were read, and those that were written; the main one first.
    arrays : int
        How many arrays were converted.
    elements : int
        How many numbers they have together.
    bytes : int
        The size of the main result in bytes.
    checks : str
        What was verified; empty if nothing was.
    notes : tuple of str
        What a person should know.
    """

    sources: tuple[str, ...]
    outputs: tuple[str, ...]
    arrays: int
    elements: int
    bytes: int
    checks: str = ""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """One job and the files that it makes, the first of which is the main one."""

    job: Job
    outputs: tuple[str, ...]


def check(choices: Choices) -> None:
    """Raise an error unless choices go together.

    Raises
    ------
    InvalidArgumentError
        They do not.
    """
    to = choices.to
    if choices.net is not None and (to != TORCHVISION or zoo_maker(choices.net) is None):
        msg = (
            f"net={choices.net!r} was given for to={to!r}. Expected a network of the model zoo, "
            f"for to={TORCHVISION!r} alone.{did_you_mean(choices.net, MODELS)} Leave it out, or "
            f"name one, such as resnet50_v1."
        )
        raise InvalidArgumentError(msg)
    if to not in (*TARGETS, TORCHVISION) and zoo_maker(to) is None:
        msg = (
            f"to={to!r} was given. Expected one of {', '.join(TARGETS)}, {TORCHVISION}, or a "
            f"network of the model zoo, such as resnet50_v1.{did_you_mean(to, MODELS)} Write "
            f"{_OF_ENDINGS.get(to.lower().lstrip('.'), 'safetensors')!r}."
        )
        raise InvalidArgumentError(msg)
    if choices.dtype is not None and choices.dtype not in DTYPES:
        msg = f"dtype={choices.dtype!r} was given. Expected one of {', '.join(DTYPES)}, or none."
        raise InvalidArgumentError(msg)
    if choices.names is not None and choices.names not in STYLES:
        msg = f"names={choices.names!r} was given. Expected one of {', '.join(STYLES)}, or none."
        raise InvalidArgumentError(msg)
    if (choices.input_shapes or choices.dynamic_batch) and to not in OF_GRAPHS:
        msg = (
            f"Shapes of inputs were given for to={to!r}. Expected them for pt2 and onnx alone, "
            f"which hold graphs. Leave them out."
        )
        raise InvalidArgumentError(msg)
    if (choices.names or choices.renames) and to in OF_GRAPHS:
        msg = (
            f"New names were given for to={to!r}. Expected none: the graph knows its parameters "
            f"by the names that they have. Leave them out."
        )
        raise InvalidArgumentError(msg)


def plan_outputs(jobs: Sequence[Job], output: str | None, choices: Choices) -> list[PlannedJob]:
    """Return where the results of jobs go, after a look at what is there.

    Parameters
    ----------
    jobs : sequence of Job
        The jobs.
    output : str or None
        A file for a single job; or a folder, which exists or ends with a slash. Without it results
        go beside their sources, or for URLs into the working directory.
    choices : Choices
        What was asked for.

    Raises
    ------
    ExistingFileError
        A file is there already, and may not be replaced.
    InvalidArgumentError
        Two results would have the same name, or a result would replace its source.
    """
    plans = [PlannedJob(job, _outputs(job, output, len(jobs), choices)) for job in jobs]
    taken: dict[str, str] = {}
    for plan in plans:
        sources = {plan.job.arrays, plan.job.graph, plan.job.states}
        for path in plan.outputs:
            if path in taken:
                msg = (
                    f"{taken[path]!r} and {plan.job.main!r} would both become {path!r}. Expected "
                    f"distinct names. Convert them one by one, with --output."
                )
                raise InvalidArgumentError(msg)
            taken[path] = plan.job.main
            if path in sources or any(_same(path, source) for source in sources if source):
                msg = (
                    f"{path!r} would replace its own source. Expected another place. Choose one "
                    f"with --output."
                )
                raise InvalidArgumentError(msg)
            if not choices.force and exists(path):
                msg = (
                    f"{path!r} exists already. Expected a new file. Replace it with --force, or "
                    f"choose another place with --output."
                )
                raise ExistingFileError(msg)
    return plans


def _same(path: str, other: str) -> bool:
    return Path(path).exists() and Path(other).exists() and Path(path).samefile(other)


def _outputs(job: Job, output: str | None, count: int, choices: Choices) -> tuple[str, ...]:
    kind = "torch" if choices.to == TORCHVISION else "mxnet"
    end = TARGETS[choices.to if choices.to in TARGETS else kind].end
    if job.main == job.states:
        end = ".states" if choices.to == "mxnet" else f".states{end}"
    if output is None:
        start = _joined("" if is_url(job.main) else str(Path(job.main).parent), job.stem)
    elif output.endswith(("/", os.sep)) or Path(output).is_dir() or count > 1:
        start = _joined(_joined(output, _below(job)), job.stem)
    elif choices.to == "mxnet" and job.graph:
        start = output.removesuffix(".params").removesuffix("-symbol.json")
    else:
        return (output,)
    if choices.to == "mxnet" and job.graph:
        return _checkpoint(start, job)
    if choices.to in OF_GRAPHS:
        found = _EPOCH.fullmatch(start)
        start = found["prefix"] if found else start
    return (start + end,)


def _below(job: Job) -> str:
    """Return the folders between the one that was named and the file."""
    if not job.folder:
        return ""
    return str(Path(job.main).parent.relative_to(job.folder))


def _checkpoint(start: str, job: Job) -> tuple[str, ...]:
    found = _EPOCH.fullmatch(start)
    if found is None:
        told = _EPOCH.fullmatch(job.stem)
        return f"{start}-{told['epoch'] if told else '0000'}.params", f"{start}-symbol.json"
    return f"{start}.params", f"{found['prefix']}-symbol.json"


def _joined(folder: str, name: str) -> str:
    # By hand, since the folder may be a URL.
    return (
        name
        if folder in ("", ".")
        else folder
        if name in ("", ".")
        else f"{folder.rstrip('/')}/{name}"
    )
