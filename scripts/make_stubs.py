"""Write the type stubs of the front ends nd, np, npx and sym from the op table.

`python scripts/make_stubs.py` writes them; with `--check` it only says whether they are current.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gluonish
from gluonish import ndarray, numpy, numpy_extension, ops, symbol
from gluonish.ndarray.frontend import numpy_names, public_signature
from gluonish.numpy import fallback
from gluonish.symbol import (
    control_flow,
    frontend,
    np_functions,
    operator_methods,
    operators,
    sparse_names,
)
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from gluonish.ops.table import Op

ROOT = Path(gluonish.__file__).parent
HEADER = '"""{doc}\n\nWritten by scripts/make_stubs.py; do not edit.\n"""\n'
IMPORTS = """
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array.dtypes import DTypeLike
"""
CLASSES = {"NDArray": "gluonish.array", "ndarray": "gluonish.array", "Context": "gluonish.context"}
ALIASES = """
_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float
"""
FRONT_ENDS = (
    ("nd", ndarray, "NDArray", "NDArray"),
    ("np", numpy, "_ArrayLike", "ndarray"),
    ("npx", numpy_extension, "_ArrayLike", "ndarray"),
)
KNOWN = frozenset(
    [
        "Any",
        "Callable",
        "Context",
        "DTypeLike",
        "Iterable",
        "Mapping",
        "NDArray",
        "NoReturn",
        "None",
        "NumpySymbol",
        "Self",
        "Sequence",
        "Symbol",
        "_ArrayLike",
        "bool",
        "complex",
        "dict",
        "float",
        "int",
        "list",
        "ndarray",
        "object",
        "slice",
        "str",
        "tuple",
    ]
)
BUILTINS = frozenset(
    ["bool", "complex", "dict", "float", "int", "list", "object", "slice", "str", "tuple"]
)
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_LONGEST = 4000


def aliases() -> dict[str, str]:
    """Return the type aliases of the modules of operators, as text."""
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(ops.__name__):
            for key, value in vars(module).items():
                if key[0].isupper() and (isinstance(value, str) or "|" in str(value)):
                    found[key] = str(value)
    return found


def annotation(text: object, function: Any, array: str, known: dict[str, str]) -> str:  # noqa: ANN401
    """Return an operator's annotation with tensors replaced by a front end's arrays."""
    if text is inspect.Parameter.empty:
        return "Any"
    own = inspect.unwrap(function).__globals__

    def replace(match: re.Match[str]) -> str:
        word = match.group().removeprefix("torch.").removeprefix("onp.")
        if word == "Tensor":
            return array
        if word in BUILTINS:
            return f"builtins.{word}"
        if word in KNOWN:
            return word
        value = own.get(word)
        if not isinstance(value, str) and "|" not in str(value):
            value = known.get(word)
        return "Any" if value is None else _WORD.sub(replace, str(value))

    result = _WORD.sub(replace, str(text))
    return "Any" if len(result) > _LONGEST else result


def default(value: object) -> str:
    """Return a default as a stub shows it."""
    plain = isinstance(value, (bool, int, str)) or value is None
    if isinstance(value, float):
        plain = value == value and abs(value) != float("inf")
    if isinstance(value, tuple):
        return f"({', '.join(map(default, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if plain else "..."


def stub(name: str, op: Op, field: str, given: str, returned: str, known: dict[str, str]) -> str:
    """Return the stub of one function."""
    signature = public_signature(op, renamed=numpy_names(op) if field == "np" else None)
    parts = []
    has_star = False
    for parameter in signature.parameters.values():
        text = annotation(parameter.annotation, op.function, given, known)
        if parameter.name == "out":
            text = f"{returned} | Sequence[{returned}] | None"
        elif parameter.name == "ctx":
            text = "Context | str | None"
        if parameter.kind is parameter.VAR_POSITIONAL:
            has_star = True
            parts.append(f"*{parameter.name}: {text}")
        elif parameter.kind is parameter.VAR_KEYWORD:
            parts.append(f"**{parameter.name}: {text}")
        else:
            if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
                has_star = True
                parts.append("*")
            is_open = parameter.default is not parameter.empty or parameter.name == "ctx"
            value = parameter.default if parameter.default is not parameter.empty else None
            parts.append(f"{parameter.name}: {text}" + (f" = {default(value)}" if is_open else ""))
    result = annotation(signature.return_annotation, op.function, returned, known)
    return f"def {name}({', '.join(parts)}) -> {result}: ...\n"


def written(module: ModuleType) -> Iterator[str]:
    """Yield what a front end's `__init__.py` imports and assigns by hand."""
    tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    late = [each for node in tree.body if isinstance(node, ast.If) for each in node.body]
    for node in (*tree.body, *late):  # what is imported when it is asked for, too
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "typing"):
            for each in node.names:
                name = each.asname or each.name
                if not (node.module or "").endswith((".frontend", ".ops")) and name != "protocol":
                    yield f"from {node.module} import {each.name} as {name}\n"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for each in names:
                    # The class ndarray hides MXNet's module of the same name from type checkers.
                    if isinstance(each, ast.Name) and each.id[0] != "_" and each.id not in CLASSES:
                        yield constant(each.id, getattr(module, each.id))


def constant(name: str, value: object) -> str:
    """Return the stub of a constant."""
    if isinstance(value, type):
        return f"{name} = {value.__name__}_\n"
    if inspect.ismodule(value):
        home, _, own = value.__name__.rpartition(".")
        return f"from {home} import {own} as {name}\n"
    return f"{name}: builtins.{type(value).__name__}\n"


def parameters(function: Any) -> list[inspect.Parameter]:  # noqa: ANN401 - a function
    """Return a function's parameters."""
    return list(inspect.signature(function).parameters.values())


FLUENT = "Bases of the array classes: what the op table adds to them."
_COMPARED = ("__eq__", "__ne__")


def method(name: str, op: Op, known: dict[str, str]) -> str:
    """Return the stub of a method; operators take an array or a number."""
    if name.startswith("__"):
        other = "" if name in _UNARY else ", other: _Operand"
        ignored = "  # type: ignore[override,explicit-override]" if name in _COMPARED else ""
        return f"    def {name}(self{other}) -> Self: ...{ignored}\n"
    text = stub(name, op, "method", "_ArrayLike", "Self", known)
    return "    " + _FIRST.sub(r"\1(self\2", text, count=1)


# The first parameter of a function, up to the comma or parenthesis behind it.
_FIRST = re.compile(r"(def \w+)\(\w+: [^,()=]+(?: = [^,()]+)?(, |\))")
_UNARY = ("__neg__", "__pos__", "__abs__", "__invert__")


def fluent(known: dict[str, str]) -> str:
    """Return the stub of the bases of the array classes."""
    text = HEADER.format(doc=FLUENT) + IMPORTS.replace("import Any,", "import Any, Self,")
    text += "from gluonish.array import NDArray\nfrom gluonish.context import Context\n"
    text += "\n_Operand: TypeAlias = NDArray | onp.ndarray[Any, Any] | complex\n"
    text += "_ArrayLike: TypeAlias = NDArray | Sequence[Any] | onp.ndarray[Any, Any] | float\n"
    for title, fields in (("NDFluent", ("nd_method",)), ("NumpyFluent", ("np_method",))):
        methods = {
            name: method(name, op, known)
            for field in fields
            for op in ops.ops()
            for name in getattr(op, field)
        }
        text += f"\nclass {title}:\n" + "".join(methods[name] for name in sorted(methods))
    return text


def plain_parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter with its own annotation, as a stub shows it."""
    is_open = parameter.default is not parameter.empty
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return f"{star}{parameter.name}: {parameter.annotation}" + (
        f" = {default(parameter.default)}" if is_open else ""
    )


def added_by_hand(module: ModuleType, functions: list[str]) -> list[str]:
    """Return stubs of functions that other modules put into a sub-namespace."""
    known = {text.partition("(")[0].removeprefix("def ") for text in functions}
    return [
        f"def {name}({', '.join(map(plain_parameter, parameters(value)))}) -> "
        f"{inspect.signature(value).return_annotation}: ...\n"
        for name, value in sorted(vars(module).items())
        if inspect.isfunction(value)
        and name not in known
        and not name.startswith("_")
        and not hasattr(value, "__signature__")  # an operator that another one lists, too
    ]


SYMBOLIC = """
from typing import NoReturn, Self, Unpack

from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
"""
_NUMBERS = "\n_Operand: TypeAlias = Symbol | float | onp.generic\n"
_SYMBOL = "from gluonish.symbol.symbol import Symbol\n"
_COMPARING = "  # type: ignore[override,explicit-override]"
_LISTS = ("list[", "tuple[")


def on_symbols(name: str, call: Any, op: Op, returned: str, known: dict[str, str]) -> str:  # noqa: ANN401
    """Return the stub of a function on Symbols, or of a method of them.

    Arrays may be left out, which makes variables of them; what follows them may be, too.
    """
    parts = []
    is_open = has_star = has_rest = False
    for parameter in call.__signature__.parameters.values():
        if parameter.name == "self":
            parts.append("self")
            continue
        text = annotation(parameter.annotation, op.function, "Symbol", known)
        if parameter.kind is parameter.VAR_POSITIONAL:
            has_star = True
            parts.append(f"*{parameter.name}: {text}")
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            has_rest = True
            parts.append(f"**{parameter.name}: {text}")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star, is_open = True, False
            parts.append("*")
        has_default = parameter.default is not parameter.empty
        value = default(parameter.default) if has_default else "..."
        if parameter.name == "ctx":
            text = "Context | str | None"
        elif parameter.name == "attr":
            text = "Mapping[builtins.str, builtins.str] | None"
        elif parameter.name == "name":
            text = "builtins.str | None"
        elif "Tensor" in str(parameter.annotation) and not has_default:
            text, value, has_default = f"{text} | None", "None", True
        is_open = is_open or (has_default and not has_star)
        parts.append(
            f"{parameter.name}: {text}" + (f" = {value}" if has_default or is_open else "")
        )
    if not has_rest:
        parts.append("**attributes: Unpack[Attributes]")
    return f"def {name}({', '.join(parts)}) -> {returned}: ...\n"


def in_numpy(op: Op, one: str) -> str:
    """Return what a function of `sym.np` returns: a list where there are several outputs."""
    text = str(op.signature.return_annotation)
    if op.outputs == 1 or text == "bool":
        return one
    return "Any" if "|" in text else f"list[{one}]" if text.startswith(_LISTS) else one


def plain(name: str, call: Any, returned: str = "") -> str:  # noqa: ANN401 - a function
    """Return the stub of a function on Symbols that is not made from the table."""
    signature = inspect.signature(call)
    parts = []
    for parameter in signature.parameters.values():
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        text = annotation(parameter.annotation, call, "Symbol", {})
        has_default = parameter.default is not parameter.empty
        value = f" = {default(parameter.default)}" if has_default else ""
        parts.append(
            "self" if parameter.name == "self" else f"{star}{parameter.name}: {text}{value}"
        )
    result = returned or annotation(signature.return_annotation, call, "Symbol", {})
    return f"def {name}({', '.join(parts)}) -> {result}: ...\n"


def symbol_methods(cls: type[Symbol], known: dict[str, str], *fields: str) -> Iterator[str]:
    """Yield the stubs of what modules other than its own put into a class of Symbols."""
    table = {
        name: (space, path) for name, _, space, path, _ in operator_methods.methods_of(*fields)
    }
    for name, value in sorted(vars(cls).items()):
        if isinstance(value, property) and value.fget and value.fget.__name__ != name:
            yield f"    @property\n    def {name}(self) -> Self: ...\n"
        if not inspect.isfunction(value) or name.startswith(("_repr_", "__dir__")):
            continue
        if value.__module__ in (operators.__name__,):
            operand = "" if name in _UNARY else ", other: _Operand"
            ignored = _COMPARING if name in _COMPARED else ""
            yield f"    def {name}(self{operand}) -> Self: ...{ignored}\n"
        elif name in table and value.__module__.startswith(ops.__name__):
            op = frontend.by_path(*table[name])
            returned = "Self" if cls is Symbol else in_numpy(op, "Self")
            yield f"    {on_symbols(name, value, op, returned, known)}"
        elif not value.__qualname__.startswith(("Symbol.", "NumpySymbol.", "_Symbol.")):
            text = plain(name, value, "Self" if value.__module__.endswith(".methods") else "")
            yield f"    {text}"


def symbol_fluent(known: dict[str, str]) -> str:
    """Return the stub of the bases of the classes of Symbols."""
    text = HEADER.format(doc="Bases of Symbols: what the op table adds to them.") + IMPORTS
    text += SYMBOLIC + _SYMBOL + _NUMBERS
    text += "\nclass SymbolFluent:\n" + "".join(symbol_methods(Symbol, known, "nd_method"))
    text += "\nclass NumpySymbolFluent:\n"
    return text + "".join(symbol_methods(NumpySymbol, known, "nd_method", "np_method"))


def space_of(module: Any, space: str, start: str, known: dict[str, str]) -> dict[str, str]:  # noqa: ANN401
    """Return the stubs of a module of functions on Symbols, by their names."""
    found = {}
    for name in module.__all__:
        path = sparse_names.PATHS[name] if start == "sparse." else f"{start}{name}"
        op = frontend.by_path(space, path)
        returned = "Symbol" if space == "nd" else in_numpy(op, "NumpySymbol")
        call = frontend.build_function(op, space, path, Symbol)
        found[name] = on_symbols(name, call, op, returned, known)
    return found


def symbol_stubs(known: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each stub of the front end sym."""
    folder = ROOT / "symbol"
    yield folder / "fluent.pyi", symbol_fluent(known)
    top = vars(symbol)["_functions"]
    names = [("", top, "nd"), ("numpy", symbol.np, "np"), ("numpy_extension", symbol.npx, "npx")]
    for home, module, space in names:
        inner = sorted(
            name for name, value in vars(module).items() if isinstance(value, frontend.Frontend)
        )
        for each in inner:
            functions = space_of(getattr(module, each), space, f"{each}.", known)
            if not home and each == "contrib":
                functions |= {key: plain(key, f) for key, f in control_flow.FUNCTIONS.items()}
            doc = f"Operators {each}.* of sym{f'.{space}' if home else ''}."
            yield folder / home / f"{each}.pyi", symbolic(doc, "", functions)
        functions = space_of(module, space, "", known)
        imports = "".join(
            f"from {symbol.__name__}{home and '.'}{home} import {each} as {each}\n"
            for each in inner
        )
        if home:
            doc = str(module.__doc__)
            imports += "\n_Symbol = NumpySymbol\n"
            if space == "np":
                functions |= {key: plain(key, f) for key, f in np_functions.FUNCTIONS.items()}
        else:
            doc = str(symbol.__doc__).strip()
            imports += "".join(sorted(set(written(symbol)))) + f"\n__all__ = {symbol.__all__}\n"
            functions |= {
                name: f"def {name}(left: _Operand, right: _Operand, /) -> Symbol: ...\n"
                for name in operators.functions()
            }
        yield folder / home / "__init__.pyi", symbolic(doc, imports, functions)
    functions = space_of(symbol.sparse, "nd", "sparse.", known)
    yield folder / "sparse.pyi", symbolic("Operators sparse.* of sym.", "", functions)


def symbolic(doc: str, imports: str, functions: dict[str, str]) -> str:
    """Return the stub of a module of functions on Symbols."""
    text = (
        HEADER.format(doc=doc)
        + IMPORTS
        + SYMBOLIC
        + imports
        + (_NUMBERS if "fromjson" in imports else "")
    )
    text += "" if f"{_SYMBOL[:-1]} as Symbol\n" in imports else _SYMBOL
    return text + "".join(sorted(functions.values(), key=str.casefold))


def stubs() -> dict[Path, str]:
    """Return the text of every stub file."""
    known = aliases()
    files = {ROOT / "array" / "fluent.pyi": fluent(known)}
    for field, module, given, returned in FRONT_ENDS:
        folder = Path(module.__file__ or "").parent
        spaces: dict[str, list[str]] = {"": []}
        for op in ops.ops():
            for path in getattr(op, field):
                space, _, name = path.rpartition(".")
                text = stub(name, op, field, given, returned, known)
                spaces.setdefault(space, []).append(text)
        by_hand = "".join(sorted(set(written(module)), key=lambda text: (" as " not in text, text)))
        if field == "np":
            spaces[""] += [
                f"def {name}(*args: Any, **kwargs: Any) -> Any: ...\n"
                for name in fallback.NAMES
                if not any(name in op.np for op in ops.ops())
            ]
        for space, functions in sorted(spaces.items()):
            if space:
                functions += added_by_hand(getattr(module, space), functions)
            doc = (
                (module.__doc__ or "").strip() if not space else f"Operators {space}.* of {field}."
            )
            text = HEADER.format(doc=doc) + IMPORTS
            for name, home in CLASSES.items():
                if space or f"import {name} as {name}\n" not in by_hand:
                    text += f"from {home} import {name}\n"
            if not space:
                text += "".join(
                    f"from {module.__name__} import {each} as {each}\n"
                    for each in sorted(spaces)
                    if each
                )
                text += by_hand
            body = text + ALIASES + "".join(sorted(functions, key=str.casefold))
            files[folder / f"{space or '__init__'}.pyi"] = body
    return files | dict(symbol_stubs(known))


def formatted(text: str) -> str:
    """Return a stub in the project's format."""
    ruff = [sys.executable, "-m", "ruff"]
    for command in (
        [
            "check",
            "--fix",
            "--quiet",
            "--exit-zero",
            "--select",
            "I,F401,F811,RUF022",
            "--ignore",
            "I002",
        ],
        ["format", "--quiet"],
    ):
        arguments = [*ruff, *command, "--stdin-filename", "stub.pyi", "-"]
        done = subprocess.run(
            arguments, input=text, capture_output=True, text=True, check=True, cwd=ROOT.parent
        )
        text = done.stdout
    return text


def main() -> int:
    """Write the stubs, or check them; return the exit status."""
    stale = []
    for path, text in stubs().items():
        new = formatted(text)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if new != old:
            stale.append(path.relative_to(ROOT.parent))
            if "--check" not in sys.argv:
                path.write_text(new, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.stderr.write(
            f"{len(stale)} stubs are not current: {', '.join(map(str, stale))}. Expected what the "
            f"op table says. Run python scripts/make_stubs.py.\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
