"""Checks of the names and shapes of data and labels."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError, SymbolTypeError
from gluonish.errors.program_arguments import arguments, keyword
from gluonish.errors.program_text import names_of_objects
from gluonish.errors.tracebacks import users_level
from gluonish.io import DataDesc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gluonish.symbol import Symbol

_PARAMETERS = ("_weight", "_bias", "_gamma", "_beta")


def check_input_names(symbol: Symbol, names: Iterable[str], typename: str, throw: bool) -> None:
    """Check that a Symbol has arguments of some names.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    names : list of str
        What to look for.
    typename : str
        What they are: 'data', 'label', 'state' or 'fixed_param'.
    throw : bool
        Whether a name that is missing is an error, rather than a warning.

    Raises
    ------
    InvalidArgumentError
        A name is missing.
    """
    known = symbol.list_arguments()
    for name in names:
        if name in known:
            continue
        free = [arg for arg in known if not arg.endswith(_PARAMETERS)]
        if typename == "label":  # which names often say
            free = [arg for arg in free if arg.endswith(typename)] or free
        near = "\n\t".join(free)
        msg = (
            f"You created Module with Module(..., {typename}_names={list(names)}) but input with "
            f"name '{name}' is not found in symbol.list_arguments(). Did you mean one of:\n\t{near}"
        )
        free = free or known
        own = keyword("symbol") or next(iter(arguments(1)), "symbol")
        mend = f"Write Module({own}, {typename}_names=[{free[0]!r}]), for example."
        named = names_of_objects(lambda value: hasattr(type(value), "provide_data"))
        given = [desc[0] for _, each in named for desc in each.provide_data or ()]
        if typename == "data" and free[0] not in given:
            given_so = f"NDArrayIter({{{free[0]!r}: x}}, ...)"
            mend = f"{mend[:-1]}, and name the iterator's data so: {given_so}."
        msg = f"{msg}\n{mend}" if throw and free else msg
        if throw:
            raise InvalidArgumentError(msg)
        warnings.warn(msg, stacklevel=users_level())


def check_names_match(
    data_names: Sequence[str],
    data_shapes: Sequence[DataDesc],
    name: str,
    throw: bool,
    arguments: Sequence[str] = (),
) -> None:
    """Check that data comes under the names that are expected.

    Parameters
    ----------
    data_names : list of str
        What is expected.
    data_shapes : list of DataDesc
        What comes.
    name : str
        'data' or 'label'.
    throw : bool
        Whether a difference is an error, rather than a warning.
    arguments : list of str, optional
        The variables of the Symbol, if they are known.

    Raises
    ------
    InvalidArgumentError
        They differ.
    """
    if sorted(data_names) == sorted(desc[0] for desc in data_shapes):
        return
    first = next(iter(data_names), name)
    given = f"{{{first!r}: x}}, ..." if name == "data" else f"..., label_name={first!r}"
    how = f"Write NDArrayIter({given})."
    comes = [desc[0] for desc in data_shapes]
    if comes and {*comes} <= {*arguments} and not {*data_names} & {*arguments}:
        how = f"Write Module(..., {name}_names={comes})."
    elif name == "data" or list(data_names) == ["softmax_label"]:
        how = (
            f"Write NDArrayIter({given}) where the Symbol has {first!r}; where it has what comes, "
            f"Module(..., {name}_names={comes})."
        )
    if not data_shapes:
        how = f"Pass bind(..., {name}_shapes=it.provide_{name}) where they count, as score() asks."
    msg = (
        f"Data provided by {name}_shapes don't match names specified by {name}_names "
        f"({data_shapes} vs. {data_names}). Expected the same names, which are those of variables "
        f"of the Symbol. {how}"
    )
    if throw:
        raise InvalidArgumentError(msg)
    warnings.warn(msg, stacklevel=users_level())


def parse_data_desc(
    data_names: Sequence[str],
    label_names: Sequence[str],
    data_shapes: Sequence[Any],
    label_shapes: Sequence[Any] | None,
    arguments: Sequence[str] = (),
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Return descriptions of data and labels, after their names were checked.

    Parameters
    ----------
    data_names, label_names : list of str
        The names that are expected; other labels give a warning, other data an error.
    data_shapes, label_shapes : list of DataDesc or of (str, tuple)
        What comes.
    arguments : list of str, optional
        The variables of the Symbol, if they are known.

    Raises
    ------
    InvalidArgumentError
        The names of the data differ.
    """
    data = descriptions(data_shapes, "data_shapes", data_names)
    check_names_match(data_names, data, "data", True, arguments)
    if label_shapes is None:
        check_names_match(label_names, [], "label", False)
        return data, None
    labels = descriptions(label_shapes, "label_shapes", label_names)
    check_names_match(label_names, labels, "label", False, arguments)
    return data, labels


def descriptions(shapes: Iterable[Any], what: str, names: Sequence[str]) -> list[DataDesc]:
    """Return names and shapes as descriptions, which have a dtype and a layout too.

    `what` is the argument's name, `names` are those that it shall have.
    """
    return [
        desc if isinstance(desc, DataDesc) else _described(desc, shapes, what, names)
        for desc in shapes
    ]


def _described(desc: Any, shapes: Iterable[Any], what: str, names: Sequence[str]) -> DataDesc:
    if not isinstance(desc, (list, tuple)) or len(desc) < 2 or not isinstance(desc[0], str):
        alone = [each for each in shapes if isinstance(each, tuple)]
        pairs = [*zip(names, alone, strict=False)] or [("data", (32, 784))]
        msg = (
            f"bind: {what}={shapes!r} was given. Expected a list of names and shapes, as "
            f"provide_data and provide_label of an iterator are. Write {what}={pairs}."
        )
        raise SymbolTypeError(msg)
    lengths = desc[1] if isinstance(desc[1], (list, tuple)) else ()
    if any(length is None or isinstance(length, float) for length in lengths):
        whole = tuple(32 if length is None else int(length) for length in lengths)
        msg = (
            f"bind: {desc[0]!r} of shape {desc[1]} was given. Expected whole numbers: a module is "
            f"bound to the size of one batch. Write ({desc[0]!r}, {whole}), or provide_data of an "
            f"iterator."
        )
        raise SymbolTypeError(msg)
    return DataDesc(*desc)
