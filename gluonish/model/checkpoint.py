"""Files of a model: its Symbol, and its parameters after an epoch."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd, symbol as symbols
from gluonish.array import NDArray
from gluonish.block import Parameter, matching
from gluonish.context import is_np_shape
from gluonish.errors import FileFormatError, MissingFileError
from gluonish.errors.wording import listed
from gluonish.ndarray.io import tensors_of
from gluonish.serialization import container
from gluonish.serialization.files import replacing_together

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from gluonish.serialization.files import PathLike
    from gluonish.symbol import Symbol

    Params: TypeAlias = dict[str, NDArray]


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    remove_amp_cast: bool = True,
) -> None:
    """Save a Symbol in `prefix-symbol.json`, and parameters in `prefix-0001.params` for epoch 1.

    Parameters
    ----------
    prefix : str
        What the files' names begin with.
    epoch : int
        The number in the name of the file of parameters.
    symbol : Symbol or None
        The graph; None writes the parameters alone.
    arg_params, aux_params : dict of str to NDArray
        Arguments and auxiliary states by name.
    remove_amp_cast : bool, default True
        Whether casts of mixed precision are left out of the graph.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=1, name='fc')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.model.save_checkpoint(f'{folder}/net', 1, net, {'fc_bias': mx.nd.ones((1,))}, {})
    ...     symbol, args, states = mx.model.load_checkpoint(f'{folder}/net', 1)
    >>> symbol.list_arguments(), list(args)
    (['data', 'fc_weight', 'fc_bias'], ['fc_bias'])
    """
    path = params_path(prefix, epoch)
    if symbol is None:
        save_params(path, arg_params, aux_params)
    else:
        graph = symbol.tojson(remove_amp_cast)
        save_graph_and_params(f"{prefix}-symbol.json", graph, path, arg_params, aux_params)
    logging.getLogger().info('Saved checkpoint to "%s"', path)


def load_checkpoint(prefix: str, epoch: int) -> tuple[Symbol, Params, Params]:
    """Return the Symbol, the arguments and the auxiliary states that `save_checkpoint` wrote.

    Parameters
    ----------
    prefix : str
        What the files' names begin with.
    epoch : int
        The number in the name of the file of parameters.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        A file is damaged, or is no checkpoint.
    """
    try:
        symbol = symbols.load(f"{prefix}-symbol.json")
    except MissingFileError as error:
        if (name := _FILE.match(prefix)) is not None:
            error.add_note(f"load_checkpoint takes what names of files begin with: {name[1]!r}.")
        raise
    return (symbol, *load_params(prefix, epoch))


_FILE = re.compile(r"(.+?)(-\d+\.params|-symbol\.json)$")  # where what they begin with is wanted


def load_params(prefix: str, epoch: int) -> tuple[Params, Params]:
    """Return the arguments and the auxiliary states that `save_checkpoint` wrote.

    Parameters
    ----------
    prefix : str
        What the file's name begins with.
    epoch : int
        The number in the file's name.
    """
    path = params_path(prefix, epoch)
    try:
        return read_params(path)
    except MissingFileError as error:
        if epochs := _epochs(path):
            many = f"epochs {listed(epochs)} are" if len(epochs) > 1 else f"epoch {epochs[0]} is"
            error.add_note(f"Epoch {epoch} was asked for; {many} there. Ask for {epochs[-1]}.")
        raise


def _epochs(path: str) -> list[int]:
    """Return the epochs of whose parameters there are files, beside that of one."""
    start = Path(path).name.rpartition("-")[0]
    names = (each.name for each in Path(path).parent.glob("*.params"))
    found = (re.fullmatch(r"(.*)-(\d{4,})\.params", name) for name in names)
    return sorted(int(match[2]) for match in found if match is not None and match[1] == start)


def params_path(prefix: str, epoch: int) -> str:
    """Return the name of the file of parameters of an epoch."""
    return f"{prefix}-{epoch:04d}.params"


def save_params(
    path: PathLike, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]
) -> None:
    """Save parameters, with `arg:` or `aux:` before their names."""
    nd.save(path, _marked(arg_params, aux_params))


def save_graph_and_params(
    graph_path: str,
    graph: str,
    path: str,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """Save a graph's JSON and its parameters; whatever fails leaves both old files.

    Notes
    -----
    Both files are complete before the first takes its place, and the parameters are the first:
    see `replacing_together`.
    """
    tensors = tensors_of("nd.save", _marked(arg_params, aux_params), NDArray)
    with replacing_together(path, graph_path) as (values, text):
        container.write(values, tensors, np_shape=is_np_shape())
        text.write(graph.encode())


def _marked(
    arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]
) -> dict[str, NDArray]:
    named = {f"arg:{name}": array for name, array in arg_params.items()}
    return named | {f"aux:{name}": array for name, array in aux_params.items()}


def read_params(
    path: PathLike,
    arguments: Mapping[str, tuple[int, ...]] | None = None,
    states: Mapping[str, tuple[int, ...]] | None = None,
) -> tuple[Params, Params]:
    """Return arguments and auxiliary states of a file.

    Parameters
    ----------
    path : str or path
        The file.
    arguments, states : dict of str to tuple of int, optional
        Names and shapes that a graph has. A file of Gluon, whose names have no marks, is taken
        where they tell what each of its arrays is.

    Raises
    ------
    FileFormatError
        A name begins with neither `arg:` nor `aux:`, or there are no names.
    """
    loaded: Any = nd.load(path)
    found: dict[str, Params] = {"arg": {}, "aux": {}}
    named: dict[str, Any] = (
        loaded if isinstance(loaded, dict) else dict.fromkeys([""] * len(loaded))
    )
    meant = _meant(named, arguments or {}, states or {})
    if meant is not None:
        return meant
    for full, array in named.items():
        kind, _, name = full.partition(":")
        if kind not in found:
            msg = (
                f"Invalid param file {path}: it has an array {full!r}. Expected names that begin "
                f"with 'arg:' or 'aux:', as save_checkpoint writes them. Read the file with "
                f"mx.nd.load, and pass its arrays to set_params."
            )
            raise FileFormatError(msg)
        found[kind][name] = array
    return found["arg"], found["aux"]


def _meant(
    named: Mapping[str, Any],
    arguments: Mapping[str, tuple[int, ...]],
    states: Mapping[str, tuple[int, ...]],
) -> tuple[Params, Params] | None:
    """Return the arrays of a file of Gluon as a graph's arguments and states, if that is clear."""
    if not named or any(name.startswith(("arg:", "aux:")) for name in named):
        return None
    wanted = {**arguments, **states}
    params = {name: Parameter(name, shape=shape) for name, shape in wanted.items()}
    values = matching.for_dictionary(params, "", named).values
    if values.keys() != wanted.keys():
        return None
    found: Any = values
    return {name: found[name] for name in arguments}, {name: found[name] for name in states}
