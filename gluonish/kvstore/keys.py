"""What calls of a store are given: keys, and arrays for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from gluonish.array import NDArray
from gluonish.errors import OperandError, RefusedArgumentError
from gluonish.errors.wording import class_name

if TYPE_CHECKING:
    from collections.abc import Sequence

Key: TypeAlias = "int | str"
Keys: TypeAlias = "Key | Sequence[Key]"
Values: TypeAlias = "NDArray | Sequence[NDArray | Sequence[NDArray]]"
Group: TypeAlias = "tuple[Key, list[NDArray]]"

_KINDS: Final = (int, str)


def paired(key: object, value: object, where: str) -> list[Group]:
    """Return each key with a list of its arrays.

    Raises
    ------
    OperandError
        Something else than arrays was given.
    RefusedArgumentError
        Keys are neither all numbers nor all text, or there are more or fewer of them than values.
    """
    if isinstance(key, (list, tuple)):
        return _several(key, value, where)
    if not isinstance(key, _KINDS):
        msg = (
            f"{where}: unexpected type for keys: {type(key)}. Expected a number or text. Write "
            f"int(key) or str(key)."
        )
        raise RefusedArgumentError(msg)
    return [(key, _arrays(value, key, where))]


def _several(keys: Sequence[object], values: object, where: str) -> list[Group]:
    if not isinstance(values, (list, tuple)) or len(values) != len(keys):
        found = f"{len(values)} values" if isinstance(values, (list, tuple)) else "one value"
        msg = (
            f"{where}: {len(keys)} keys and {found} were given. Expected an array, or a list of "
            f"arrays, for each key. Pass a list as long as that of the keys."
        )
        raise RefusedArgumentError(msg)
    if len({isinstance(key, str) for key in keys}) > 1:
        msg = (
            f"{where}: inconsistent types of keys detected: {list(keys)!r}. Expected all numbers, "
            f"or all text. Write {[str(key) for key in keys]!r}."
        )
        raise RefusedArgumentError(msg)
    return [
        group
        for key, value in zip(keys, values, strict=True)
        for group in paired(key, value, where)
    ]


def _arrays(value: object, key: Key, where: str) -> list[NDArray]:
    if isinstance(value, NDArray):
        return [value]
    if isinstance(value, (list, tuple)):
        for array in value:
            if not isinstance(array, NDArray):
                raise _no_array(array, key, where)
        return list(value)
    raise _no_array(value, key, where)


def _no_array(value: object, key: Key, where: str) -> OperandError:
    msg = (
        f"{where}: {class_name(value)} was given for key {key!r}. Expected an array, or a list "
        f"of arrays. Make arrays with mx.nd.array."
    )
    return OperandError(msg)
