"""Finds out which files a person means: names, folders, patterns, prefixes, URLs."""

from __future__ import annotations

import glob
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gluonish.errors import InvalidArgumentError, MissingFileError, MXNetError
from gluonish.errors.wording import listed
from gluonish.serialization.files import is_url, open_source
from gluonish.serialization.foreign import foreign
from gluonish.serialization.kinds import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_GRAPH_END: Final = "-symbol.json"
_CHECKPOINT: Final = re.compile(r"(?P<prefix>.+)-(?P<epoch>\d{4,})\.params")


@dataclass(frozen=True, slots=True)
class Job:
    """Files that belong together.

    Attributes
    ----------
    arrays, graph, states : str or None
        The files.
    folder : str
        The folder that was named and in which they were found; '' if they were named themselves.
    """

    arrays: str | None = None
    graph: str | None = None
    states: str | None = None
    folder: str = ""

    @property
    def main(self) -> str:
        """The file that the job is named for."""
        return self.arrays or self.graph or self.states or ""

    @property
    def stem(self) -> str:
        """The main file's name without its end, which the results' names begin with."""
        return stem_of(self.main)


def stem_of(path: str) -> str:
    """Return a file's name without its folder and its end.

    Examples
    --------
    >>> from gluonish.conversion.finding import stem_of
    >>> stem_of('models/net-symbol.json'), stem_of('net-0007.params'), stem_of('s3://b/x.npz')
    ('net', 'net-0007', 'x')
    """
    name = re.split(r"[/\\]", path.rstrip("/"))[-1]
    if name.endswith(_GRAPH_END):
        return name.removesuffix(_GRAPH_END)
    return name.removesuffix(".gz").rpartition(".")[0] or name


def find_jobs(inputs: Sequence[str], *, needs_graph: bool, epoch: int | None = None) -> list[Job]:
    """Return the jobs that inputs mean.

    Parameters
    ----------
    inputs : sequence of str
        Files, folders, patterns such as `models/*.params`, URLs, and prefixes of checkpoints,
        which a number of an epoch may follow.
    needs_graph : bool
        Whether a graph is wanted: then parameters without one are an error, and graphs take the
        parameters of their last epoch.
    epoch : int, optional
        Which epoch to take.

    Raises
    ------
    MissingFileError
        There is no such file, or none that belongs to a graph.
    InvalidArgumentError
        There is nothing that can be converted.
    """
    jobs: list[Job] = []
    named = [path for text in inputs for path in _expanded(text, inputs)]
    position = 0
    while position < len(named):
        path = named[position]
        following = named[position + 1] if position + 1 < len(named) else ""
        if is_url(path) or Path(path).is_file():
            jobs += _of_file(path, named, needs_graph=needs_graph, epoch=epoch)
        elif Path(path).is_dir():
            jobs += _of_folder(path, needs_graph=needs_graph, epoch=epoch)
        elif following.isdecimal() and not Path(following).exists():
            jobs.append(_of_prefix(path, int(following), needs_graph=needs_graph))
            position += 1
        else:
            jobs.append(_of_prefix(path, epoch, needs_graph=needs_graph))
        position += 1
    jobs = list(dict.fromkeys(jobs))
    if not jobs:
        msg = (
            f"{listed(inputs)}: no files of arrays{' with a graph' if needs_graph else ''} were "
            f"found there. Expected .params, -symbol.json, .states, .safetensors, .npz or .pt "
            f"files. `gluonish inspect` shows what files are."
        )
        raise InvalidArgumentError(msg)
    return jobs


def graph_beside(path: str) -> str | None:
    """Return the graph that belongs to a file of parameters by its name, if it is there."""
    found = _CHECKPOINT.fullmatch(path)
    if found is None or is_url(path):
        return None
    graph = found["prefix"] + _GRAPH_END
    return graph if Path(graph).is_file() else None


def checkpoints_of(graph: str) -> dict[int, str]:
    """Return the files of parameters that belong to a graph by their names, by epoch."""
    prefix = graph.removesuffix(_GRAPH_END)
    if is_url(graph) or prefix == graph:
        return {}
    found = {}
    for path in glob.glob(f"{glob.escape(prefix)}-*.params"):  # noqa: PTH207 - any path
        match = _CHECKPOINT.fullmatch(path)
        if match is not None and match["prefix"] == prefix:
            found[int(match["epoch"])] = path
    return dict(sorted(found.items()))


def _expanded(text: str, inputs: Sequence[str]) -> list[str]:
    """Return the files that match a pattern; another text as it is."""
    if is_url(text) or Path(text).exists() or not glob.has_magic(text):
        return [text]
    found = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - it may be absolute
    if not found:
        msg = (
            f"{text!r}: no file matches this pattern. Expected at least one"
            f"{'' if len(inputs) == 1 else ' for each pattern'}. Check the name and the folder."
        )
        raise MissingFileError(msg)
    return found


def _of_file(path: str, named: Sequence[str], *, needs_graph: bool, epoch: int | None) -> list[Job]:
    kind = kind_of(path)
    use = kind.format.use
    if use == "graph":
        return [] if _is_partner(path, named) else [_of_graph(path, epoch)]
    if use == "states" and not needs_graph:
        return [Job(states=path)]
    if use == "arrays":
        graph = graph_beside(path) or _only_graph(path, named)
        if not _is_of_epoch(path, epoch):
            msg = (
                f"{path!r} is not of epoch {epoch}, which was asked for. Expected one of both: the "
                f"file of parameters, or its graph with an epoch. Leave out --epoch."
            )
            raise InvalidArgumentError(msg)
        if needs_graph and graph is None:
            raise MissingFileError(_no_graph(path, named))
        return [Job(arrays=path, graph=graph)]
    needed = "parameters with a graph" if needs_graph else "parameters, states or a graph"
    what, advice = f"a file of the kind '{kind.value}'", kind.format.advice
    if kind is Kind.UNKNOWN:
        with open_source(path) as source:
            known = foreign(source)
        what = "a file of no known kind" if known is None else known.what
        needed += f" ({', '.join(each.format.title for each in Kind if each.format.use)})"
        advice = "" if known is None else f" {known.fix}."
    msg = f"{path!r} is {what}, which is not converted. Expected {needed}.{advice}"
    raise InvalidArgumentError(msg)


def _of_folder(folder: str, *, needs_graph: bool, epoch: int | None) -> list[Job]:
    """Return jobs for all that a folder holds; files of other kinds are left alone."""
    files = sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())
    kinds = {path: kind_of(path) for path in files if not Path(path).name.startswith(".")}
    jobs = []
    if needs_graph:
        graphs = [path for path, kind in kinds.items() if kind.format.use == "graph"]
        for graph in graphs:
            if checkpoints_of(graph):
                job = _of_graph(graph, epoch)
                jobs.append(Job(job.arrays, job.graph, folder=folder))
        return jobs
    for path, kind in kinds.items():
        if not kind.format.is_of_models:
            continue
        if kind.format.use == "arrays" and _is_of_epoch(path, epoch):
            jobs.append(Job(arrays=path, graph=graph_beside(path), folder=folder))
        elif kind.format.use == "states":
            jobs.append(Job(states=path, folder=folder))
    return jobs


def _of_graph(graph: str, epoch: int | None) -> Job:
    """Return the job of a graph and its parameters: those named, or those of an epoch."""
    found = checkpoints_of(graph)
    if epoch is not None and epoch in found:
        return Job(arrays=found[epoch], graph=graph)
    if epoch is None and found:
        return Job(arrays=found[max(found)], graph=graph)
    if is_url(graph) or not graph.endswith(_GRAPH_END):
        expected = "Name the file of parameters too"
    elif found:
        expected = f"There are epochs {listed(found)}. Choose one with --epoch"
    else:
        expected = f"Expected {graph.removesuffix(_GRAPH_END)}-0000.params or the like. Name it too"
    wanted = "no parameters" if epoch is None else f"no parameters of epoch {epoch}"
    msg = f"{graph!r}: {wanted} were found beside the graph. {expected}."
    raise MissingFileError(msg)


def _is_partner(graph: str, named: Sequence[str]) -> bool:
    """Return whether a graph belongs to parameters that were named too."""
    others = [path for path in named if path != graph and (is_url(path) or Path(path).is_file())]
    arrays = [path for path in others if _has_arrays(path)]
    return any(_belongs(graph, path, named) for path in arrays)


def _belongs(graph: str, arrays: str, named: Sequence[str]) -> bool:
    return (graph_beside(arrays) or _only_graph(arrays, named)) == graph


def _only_graph(arrays: str, named: Sequence[str]) -> str | None:
    """Return the graph that was named together with parameters: the best by name, or the one."""
    graphs = [path for path in named if path != arrays and path.endswith(".json")]
    start = _CHECKPOINT.fullmatch(arrays)
    if start is not None and start["prefix"] + _GRAPH_END in graphs:
        return start["prefix"] + _GRAPH_END
    return graphs[0] if len(graphs) == 1 else None


def _has_arrays(path: str) -> bool:
    try:
        return kind_of(path).format.use == "arrays"
    except MXNetError:
        return False


def _of_prefix(prefix: str, epoch: int | None, *, needs_graph: bool) -> Job:
    graph = prefix + _GRAPH_END
    found = checkpoints_of(graph)
    if not found and not Path(graph).is_file():
        msg = (
            f"{prefix!r}: there is no such file or folder, and no checkpoint with this prefix "
            f"({graph}). Check the name and the working directory."
        )
        raise MissingFileError(msg)
    if Path(graph).is_file():
        return _of_graph(graph, epoch)
    number = max(found) if epoch is None else epoch
    if number not in found:
        msg = f"{prefix!r}: there is no epoch {number}. Expected one of {listed(found)}."
        raise MissingFileError(msg)
    if needs_graph:
        raise MissingFileError(_no_graph(found[number]))
    return Job(arrays=found[number])


def _is_of_epoch(path: str, epoch: int | None) -> bool:
    """Return whether parameters are of the epoch that was asked for, as far as names tell."""
    match = _CHECKPOINT.fullmatch(path)
    return epoch is None or match is None or int(match["epoch"]) == epoch


def _no_graph(path: str, named: Sequence[str] = ()) -> str:
    graphs = [other for other in named if other != path and other.endswith(".json")]
    if graphs:
        return (
            f"{path!r}: a graph is needed, and {listed(graphs)} were named, none of which belongs "
            f"to it by its name. Expected one. Convert it with its graph alone."
        )
    match = _CHECKPOINT.fullmatch(path)
    name = match["prefix"] + _GRAPH_END if match else "the -symbol.json file"
    return (
        f"{path!r}: a graph is needed beside the parameters. Expected {name}. Name it too; or, if "
        f"there is none, build the net in Python, load the parameters, hybridize it, call it "
        f"once, and net.export(NAME) writes the graph."
    )
