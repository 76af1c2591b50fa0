"""JSON that is changed as a tree, and written with all that parsers trip over."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random


class Raw(str):
    """Text that stands in the file as it is."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """An object whose keys may repeat."""


_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 1.5, -0.0, "", "0", "None", "True", "data", [], {}, [0], [0,
    0],
    [0, 0, 0], [[0, 0, 0]], {"a": "b"}, 1 << 31, 1 << 63, 1 << 64, -(1 << 63), 10**30, "x" * 3000,
    Raw("NaN"), Raw("Infinity"), Raw("-Infinity"), Raw("1e999"), Raw("-"), Raw("01"), Raw("0x10"),
    Raw("9" * 5000), Raw("1." + "1" * 5000), Raw("[" * 3000), Raw('{"a":' * 3000),
    Raw("[" * 300 + "]" * 300),
    Raw('"\\ud800"'), Raw('"\\udc00\\ud800"'), Raw('"\\u0000"'), Raw('"\\u202e"'), Raw('"\\x41"'),
    Raw('"\n"'),
    Raw('"\x01"'), Raw('"open'), Raw("'single'"), Raw("1,"), Raw("null null"), Raw("tru"), Raw(""),
    Raw("//"), Raw("{'a': 1}"),
)  # fmt: skip
EVIL_TEXTS = (
    "__import__('os').mkdir('PWNED')", "((((((", "(" * 2000, "[" * 2000 + "]" * 2000, "9**9**9",
    "9" * 4000, "-" * 3000, "1e999", "-1e999", "nan", "inf", "-inf", "1_0", "1__0", "0x10", "١٢",
    "(1,", "(,)", "()", "(3,)", "(3L, 3L)", "[1,1]", "(0, 0)", "(-1, -1)",
    "(1, 1, 1, 1, 1, 1, 1, 1)",
    "(1000000, 1000000)", "(2147483647, 2)", "(9223372036854775807,)", "(18446744073709551615, 1)",
    "None", "True", "False", "true", "1", "0", "-1", "2", "7", "64", "2147483647", "2147483648",
    "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808", "1e308", "1e-320",
    "0.5", "-0.5", "1.5", "2.0", "8abc", " 3", "3 ", "\t3\n", "", " ", "x" * 5000, "{}", "{0}",
    "%s%n",
    "float32", "float16", "float64", "bfloat16", "int32", "uint8", "bool", "object", "O", "U10",
    "f4,f4",
    "V99999999999", "S2147483648", "(2,3)f8", "float32\0", "datetime64[ns]", "complex64", "12",
    "99",
    "relu", "sigmoid", "max", "avg", "sum", "lp", "valid", "full", "same", "channel", "null",
    "write",
    "zeros", "ones", '["xavier", {"magnitude": 3}]', '["zero", {}]', '["' + "[" * 500 + '", {}]',
    "[" * 900, '["__import__", {}]', '["Load", {"param": "PWNED"}]', '["mixed", {}]',
    '["eval", {}]',
    '["constant", {"value": [[[[1]]]]}]', '["uniform", {"scale": 1e999}]', '{"a": 1}', '[]',
    '["zero"]',
    "lstm", "gru", "rnn_tanh", "nearest", "bilinear", "NCHW", "NHWC", "csr", "row_sparse",
    "default",
    "add", "req", "cpu(0)", "gpu(9)", "'a'", "\"a", "('a', 'b')", "(None, None)", "(True, 1)",
    "((1, 2), (3, 4))",
)  # fmt: skip
_DEEPEST = 200  # brackets; files with more of them have Raw ones
_text = json.JSONEncoder().encode


def dump(value: Any, depth: int = 0) -> str:
    """Return JSON, or something like it."""
    if isinstance(value, Raw):
        return str(value)
    if depth > _DEEPEST:
        return "null"
    if isinstance(value, dict | Pairs):
        items = _pairs(value) if isinstance(value, Pairs) else value.items()
        return "{" + ", ".join([f"{_text(k)}: {dump(v, depth + 1)}" for k, v in items]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([dump(each, depth + 1) for each in value]) + "]"
    return _text(value)


def _pairs(value: Pairs) -> list[tuple[Any, Any]]:
    """Return keys and values, also of what another change has made of them."""
    return [item if isinstance(item, tuple) and len(item) == 2 else ("", item) for item in value]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return each value of a tree: the list or object that it stands in, and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        parent = waiting.pop()
        items = parent.items() if isinstance(parent, dict) else enumerate(parent)
        for key, child in list(items):
            found.append((parent, key))
            if isinstance(child, (dict, list)) and not isinstance(child, Pairs):
                waiting.append(child)
    return found


def change(random: Random, tree: Any, other: Any) -> str:
    """Change one value of a tree, and return what was done."""
    found = places(tree)
    if not found:
        return "nothing is left to change"
    parent, key = random.choice(found)
    choice = random.randrange(9)
    if choice <= 2:
        parent[key] = copy.deepcopy(random.choice(_VALUES))
        return f"{key} := {str(parent[key])[:40]!r}"
    if choice == 3:
        del parent[key]
        return f"{key} left out"
    if choice == 4 and isinstance(parent, list):
        parent[key:key] = [parent[key]] * random.choice((1, 2, 20))
        return f"{key} repeated"
    if choice == 4:
        twin, twin_key = random.choice(found)
        value = twin[twin_key]
        parent[str(twin_key)] = None if _holds(value, parent) else value
        return f"{twin_key} copied beside {key}"
    if choice == 5:
        holders = [(p, k) for p, k in found if isinstance(p[k], dict)]
        if holders:
            holder, name = random.choice(holders)
            pairs = [pair for pair in holder[name].items() for _ in range(random.choice((1, 1, 2)))]
            holder[name] = Pairs(pairs)
        return "keys twice"
    if choice == 6:
        theirs, name = random.choice(places(other) or [([None], 0)])
        parent[key] = copy.deepcopy(theirs[name])
        return f"{key} from another file"
    if choice == 7 and isinstance(parent[key], int):
        step = random.choice((-1, 1, 2, 100, -100, 1 << 32, 1 << 62))
        parent[key] = parent[key] + step
        return f"{key} += {step}"
    parent[key] = random.choice(EVIL_TEXTS)
    return f"{key} := {parent[key][:40]!r}"


def _holds(value: Any, part: Any) -> bool:
    """Return whether a value is or holds another one, which would make a tree without end."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each is part:
            return True
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list) and not isinstance(each, Pairs):
            waiting += each
    return False
