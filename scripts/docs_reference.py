"""Writes the API reference of the documentation: a page for each module and family of operators."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import griffe
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from typing_extensions import override

import gluonish
from gluonish.name import NameManager
from gluonish.ops.table import ops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from gluonish.ops.table import Op

_FAMILIES = {  # modules of gluonish.ops; those of a family with a star come last
    "Arithmetic and functions of elements": "elementwise.* np.comparison np.elements np.calculus",
    "Sums and statistics": (
        "arrays.reduction np.reduction arrays.histogram arrays.gradient_checks np.statistics "
        "np.covariance np.histograms np.running_sums np.extremes"
    ),
    "Shapes, joining, splitting": (
        "arrays.shapes np.shapes np.npx_reshape arrays.joining np.joining arrays.tiling "
        "np.tiling np.flipping arrays.slicing"
    ),
    "Choosing and sorting": (
        "arrays.indexing np.indexing arrays.sorting np.sorting nn.sequence np.insertion"
    ),
    "New arrays": "arrays.creation np.creation np.grids np.windows",
    "Matrices and transforms": "linear.* np.linalg np.products np.diagonal nn.windows",
    "Layers": (
        "nn.dense nn.convolution nn.pooling nn.normalization nn.activation nn.softmax nn.dropout "
        "nn.rnn nn.*"
    ),
    "Losses and gradients": (
        "nn.losses nn.ctc nn.softmax_output nn.regression_output elementwise.gradients "
        "nn.sparse_penalty"
    ),
    "Integers of 8 bits": "quantized.*",
    "Random numbers": "random.*",
    "Images and detection": "vision.images vision.random_colours vision.*",
    "Updates of optimizers": "updates.*",
    "Custom operators and operators of files": "graph.custom graph.*",
}
_FRONT_ENDS = ("nd", "np", "npx")
_LIMIT = 40  # lines of source that are shown
_WIDTH = 88  # letters of a signature in one line
_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
_BUILT = frozenset(
    ("ndarray", "numpy", "numpy_extension", "symbol")  # made of the table; see the operators
)


class Page(NamedTuple):
    """A generated page."""

    path: str
    title: str
    text: str


_pages: list[Page] = []
_numbering: list[NameManager] = []  # of the page that is being built
_expected: dict[str, str] = {}  # path of a rendered name -> the page that has to have it


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write the pages, and put them into the navigation."""
    docs = Path(config.docs_dir)
    _pages[:] = [*_module_pages(_covered(docs)), *_operator_pages()]
    by_hand = [(_title(path), f"reference/{path.name}") for path in docs.glob("reference/*.md")]
    by_hand.sort(key=lambda row: row[0].lower())
    subjects = [{title: path} for title, path in by_hand]
    modules = [{page.title: page.path} for page in _pages if "/modules/" in page.path]
    operators = [{page.title: page.path} for page in _pages if "/operators/" in page.path]
    _pages.append(Page("reference/index.md", "Reference", _overview(by_hand)))
    for entry in config.nav or ():
        if isinstance(entry, dict) and entry.get("Reference") == "generated":
            entry["Reference"] = [
                "reference/index.md",
                {"By subject": subjects},
                {"Modules": modules},
                {"Operators": operators},
            ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those of docs/."""
    for page in _pages:
        files.append(File.generated(config, page.path, content=page.text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let names of Blocks and Symbols begin with 0 on each page, as in a program of its own."""
    _numbering.append(NameManager())
    _numbering[-1].__enter__()
    return markdown


def on_page_content(html: str, **_: Any) -> str:
    """End the numbering of a page."""
    _numbering.pop().__exit__(None, None, None)
    return html


def on_post_build(config: MkDocsConfig) -> None:
    """Check that every public name is where it should be."""
    site = Path(config.site_dir)
    missing = []
    for name, path in _expected.items():
        page = (site / path).with_suffix("") / "index.html"
        if path.endswith("index.md"):
            page = (site / path).with_name("index.html")
        if f'id="{name}"' not in page.read_text(encoding="utf-8"):
            missing.append(name)
    if missing:
        msg = f"The API reference lacks {len(missing)} public names: {', '.join(missing[:20])}"
        raise PluginError(msg)


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _overview(by_hand: list[tuple[str, str]]) -> str:
    """Return the first page of the reference."""
    rows = [
        "# Reference",
        "",
        "Every public name, with what it takes, gives and raises, its source, and examples that",
        "the tests run. `mx` stands for `import gluonish as mx`.",
    ]
    pages = [page for page in _pages if not page.path.endswith("index.md")]
    operators = [(page.title, page.path, "") for page in pages if "/operators/" in page.path]
    modules = [(p.title, p.path, p.text.split("\n")[2]) for p in pages if "/modules/" in p.path]
    groups = {
        "Operators": [("All of them, by name", "reference/operators/index.md", ""), *operators],
        "Subjects": [(title, path, "") for title, path in by_hand],
        "Modules": modules,
    }
    for title, group in groups.items():
        rows += ["", f"## {title}", ""]
        for name, path, about in group:
            link = f"- [{name}]({path.removeprefix('reference/')})"
            rows.append(f"{link}: {about}" if about else link)
    return "\n".join(rows)


# Modules


def _covered(docs: Path) -> set[int]:
    """Return the identities of what pages in docs/ show."""
    found: set[int] = set()
    for path in docs.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        for dotted in re.findall(r"^::: (\S+)$", text, re.MULTILINE):
            thing = _find(dotted)
            found.add(id(thing))
            if isinstance(thing, ModuleType):
                for name in getattr(thing, "__all__", vars(thing)):
                    member = getattr(thing, name)
                    if name in getattr(thing, "__all__", ()) or _home(member) == dotted:
                        found.add(id(member))
    return found


def _find(dotted: str) -> Any:
    parts = dotted.split(".")
    thing: Any = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 2):
        if not hasattr(thing, part):
            importlib.import_module(".".join(parts[:i]))
        thing = getattr(thing, part)
    return thing


def _home(thing: Any) -> str:
    return str(getattr(thing, "__module__", ""))


def _modules() -> Iterator[tuple[str, ModuleType]]:
    """Yield the public modules, each once, under their names in `mx`: the nearest first."""
    waiting: list[tuple[str, ModuleType]] = [("mx", gluonish)]
    seen: set[str] = set()
    while waiting:
        path, module = waiting.pop(0)
        if module.__name__ in seen:
            continue
        seen.add(module.__name__)
        yield path, module
        for name in getattr(module, "__all__", ()):
            child = getattr(module, name)
            if isinstance(child, ModuleType) and child.__name__.startswith("gluonish"):
                waiting.append((f"{path}.{name}", child))


def _module_pages(covered: set[int]) -> list[Page]:
    package = griffe.load("gluonish", resolve_aliases=False)
    shown = set(covered)
    pages = []
    functions = {id(front) for op in ops() for front in _fronts(op)}
    for path, module in sorted(_modules(), key=lambda row: (row[0].count("."), row[0])):
        if module.__name__.split(".")[1:2] and module.__name__.split(".")[1] in _BUILT:
            names = [name for name in _public(module) if id(getattr(module, name)) not in functions]
            names = [name for name in names if not _is_operator(getattr(module, name))]
        else:
            names = _public(module)
        new = [name for name in names if id(getattr(module, name)) not in shown]
        new = [name for name in new if _is_documented(getattr(module, name))]
        if not new:
            continue
        target = f"reference/modules/{path}.md"
        text = [f"# {path}", "", inspect.getdoc(module) or "", ""]
        if path.split(".")[1:2] and path.split(".")[1] in ("nd", "np", "npx", "sym"):
            text += ["Its operators are among [all operators](../operators/index.md).", ""]
        for name in new:
            thing = getattr(module, name)
            if id(thing) in shown:
                continue
            shown.add(id(thing))
            text += _entry(package, path, name, thing, target)
        pages.append(Page(target, path, "\n".join(text)))
    return sorted(pages, key=lambda page: page.title)


def _is_operator(thing: Any) -> bool:
    """Return whether a function of symbols is built from the table."""
    return _home(thing).startswith("gluonish.ops")


def _public(module: ModuleType) -> list[str]:
    names = getattr(module, "__all__", None)
    if names is None:
        names = [n for n, v in vars(module).items() if n[0] != "_" and _home(v) == module.__name__]
    return sorted(names, key=lambda name: (name.lower(), name))


def _is_documented(thing: Any) -> bool:
    if isinstance(thing, ModuleType) or not callable(thing):
        return False
    return bool(thing.__doc__) and _home(thing).startswith("gluonish")


def _entry(package: Any, path: str, name: str, thing: Any, target: str) -> list[str]:
    canonical = f"{_home(thing)}.{getattr(thing, '__qualname__', name)}"
    try:
        found = package[canonical.removeprefix("gluonish.")]
    except KeyError:
        found = None
    if found is not None and found.docstring:
        _expected[canonical] = target
        shown = f"{path}.{name}"
        options = ["    options:", f"      heading: {shown}", f"      toc_label: {name}"]
        return [f"::: {canonical}", *options, ""]
    _expected[_anchor(f"{path}.{name}")] = target
    return _rendered([f"{path}.{name}"], thing, thing)


# Operators


def _fronts(op: Op) -> Iterator[Any]:
    for space in _FRONT_ENDS:
        for name in getattr(op, space):
            front: Any = getattr(gluonish, space)
            for part in name.split("."):
                front = getattr(front, part, None)
            if front is not None:
                yield front


def _operator_pages() -> list[Page]:
    families: dict[str, dict[str, list[Op]]] = {title: {} for title in _FAMILIES}
    for op in ops():
        module = op.function.__module__
        families[_family(module)].setdefault(module, []).append(op)
    pages, index = [], defaultdict(list)
    tasks: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for title, modules in families.items():
        slug = re.sub(r"\W+", "-", title.lower())
        target = f"reference/operators/{slug}.md"
        text = [f"# {title}", ""]
        given = _FAMILIES[title].split()
        for module in sorted(modules, key=lambda name: _rank(name, given)):
            members = modules[module]
            doc = inspect.getdoc(importlib.import_module(module)) or ""
            text += [f"## {doc.partition(chr(10))[0].rstrip('.')}", ""]
            for op in sorted(members, key=lambda op: _names(op)[0].lower()):
                names = _names(op)
                anchor = _anchor(names[0])
                _expected[anchor] = target
                is_public = names[0].partition(".")[0] in _FRONT_ENDS and "._" not in names[0]
                if is_public:
                    tasks[title].append((names[0], slug, anchor))
                for name in names[is_public:]:
                    space, _, rest = name.partition(".")
                    if rest.startswith("_internal."):
                        space = "_internal"
                    index[space].append((rest, slug, anchor))
                front = next(_fronts(op), op.function)
                text += _rendered(names, front, op.function, methods=_methods(op))
        pages.append(Page(target, title, "\n".join(text)))
    return [Page("reference/operators/index.md", "All names", _index(tasks, index)), *pages]


def _family(module: str) -> str:
    """Return the title of the page that a module's operators are on."""
    path = module.removeprefix(f"{gluonish.ops.__name__}.")
    for pattern in (path, f"{path.partition('.')[0]}.*"):
        for title, given in _FAMILIES.items():
            if pattern in given.split():
                return title
    msg = f"{module}: no page is for its operators. Name it in _FAMILIES."
    raise LookupError(msg)


def _rank(module: str, given: list[str]) -> int:
    path = module.removeprefix(f"{gluonish.ops.__name__}.")
    return given.index(path) if path in given else len(given)


def _names(op: Op) -> list[str]:
    names = [f"{space}.{name}" for space in _FRONT_ENDS for name in getattr(op, space)]
    if names:
        return sorted(names, key=lambda name: "._" in name)
    files = list(dict.fromkeys(op.files.values()))
    return (
        [f"file.{name}" for name in files]
        or [f"method.{name}" for name in _methods(op)]
        or [f"internal.{op.function.__name__}"]
    )


def _methods(op: Op) -> list[str]:
    return list(dict.fromkeys((*op.nd_method, *op.np_method)))


def _index(
    tasks: dict[str, list[tuple[str, str, str]]], aliases: dict[str, list[tuple[str, str, str]]]
) -> str:
    """Return the page of all operators: by what they are for, other names at the end."""
    text = [
        "# All operators",
        "",
        "Each operator is one function on tensors with names in `mx.nd`, `mx.np` and `mx.npx`.",
        "`mx.sym` has those of `mx.nd`, and `mx.sym.np` and `mx.sym.npx` the others. All take",
        "`name=`, too, and `out=` where what they return is an array. The examples run in the",
        "tests. Each is here once, by what it is for; [other names](#other-names) are at the end.",
        "",
    ]
    for title, rows in tasks.items():
        text += [f"## {title}", "", _linked(rows), ""]
    said = {
        "_internal": "mx.nd._internal",
        "file": "In files only",
        "method": "Methods only",
        "internal": "Inside of gluonish only",
    }
    order = [*_FRONT_ENDS, *said]
    text += ["## Other names", ""]
    for space, rows in sorted(aliases.items(), key=lambda item: order.index(item[0])):
        text += [f"### {said.get(space, f'mx.{space}')}", "", _linked(rows), ""]
    return "\n".join(text)


def _linked(rows: list[tuple[str, str, str]]) -> str:
    ordered = sorted(rows, key=lambda row: row[0].rpartition(".")[2].lower())
    links = [f"[`{name}`]({slug}.md#{anchor})" for name, slug, anchor in ordered]
    return "\N{NO-BREAK SPACE}· ".join(links)  # so that no line begins with a dot


# Docstrings


def _rendered(names: list[str], front: Any, source: Any, methods: Any = ()) -> list[str]:
    """Return an entry of a page: names, signature, docstring and source."""
    text = [f"### {_escaped(names[0])} {{ #{_anchor(names[0])} }}", ""]
    if len(names) > 1:
        text += ["Also " + ", ".join(f"`{name}`" for name in names[1:]) + ".", ""]
    if methods:
        text += ["Methods of arrays: " + ", ".join(f"`{name}`" for name in methods) + ".", ""]
    text += ["```python", *_signature(names[0].rpartition(".")[2], front), "```", ""]
    text += _sections(inspect.getdoc(source) or "")
    return [*text, *_source(source)]


class _Annotation(str):
    """A type as a signature shows it: without quotation marks."""

    __slots__ = ()

    @override
    def __repr__(self) -> str:
        return _arrays(self, "Array")


def _signature(name: str, function: Any) -> Iterator[str]:
    """Yield the lines of a function's head: one, or one for each parameter."""
    try:
        given = inspect.signature(function)
    except ValueError:
        yield f"{name}(...)"
        return
    parameters = [
        parameter.replace(annotation=_annotation(parameter.annotation))
        for parameter in given.parameters.values()
    ]
    given = given.replace(
        parameters=parameters, return_annotation=_annotation(given.return_annotation)
    )
    whole = f"{name}{given}"
    if len(whole) <= _WIDTH:
        yield whole
        return
    yield f"{name}("
    is_open = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not is_open:
            yield "    *,"
        is_open = is_open or parameter.kind in (parameter.VAR_POSITIONAL, parameter.KEYWORD_ONLY)
        yield f"    {parameter},"
    result = given.return_annotation
    yield ")" if result is given.empty else f") -> {result!r}"


def _annotation(annotation: Any) -> Any:
    return _Annotation(annotation) if isinstance(annotation, str) else annotation


def _sections(doc: str) -> list[str]:
    head, *rest = _SECTION.split(doc)
    text = [_arrays(head.strip()), ""]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        body = textwrap.dedent(body).strip("\n")
        if title == "Examples":
            text += ["**Examples**", "", "```pycon", body, "```", ""]
        elif title in (
            "Parameters",
            "Other Parameters",
            "Returns",
            "Raises",
            "Yields",
            "Attributes",
        ):
            text += [f"**{title}**", "", *_items(body), ""]
        else:
            text += [f"**{title}**", "", _arrays(body), ""]
    return text


def _items(body: str) -> Iterator[str]:
    """Yield list items for `name : type` and the indented lines below."""
    for part in re.split(r"\n(?=\S)", body):
        head, _, rest = part.partition("\n")
        name, colon, kind = head.partition(" : ")
        said = f"`{name}` ({_escaped(_arrays(kind))})" if colon else _code(_arrays(name))
        about = " ".join(textwrap.dedent(rest).split())
        yield f"- {said}: {_arrays(about)}" if about else f"- {said}"


def _code(text: str) -> str:
    return _escaped(text) if "`" in text else f"`{text}`"


def _anchor(name: str) -> str:
    return name.replace("__", "")  # which Markdown would take for emphasis


def _arrays(text: str, array: str = "array") -> str:
    return re.sub(r"\bTensors\b", f"{array}s", re.sub(r"\bTensor\b", array, text))


def _escaped(text: str) -> str:
    return re.sub(r"([*_|<>\[\]])", r"\\\1", text)


def _source(function: Any) -> list[str]:
    try:
        lines = inspect.getsource(inspect.unwrap(function)).rstrip().split("\n")
    except (OSError, TypeError):
        return []
    code = re.sub(r'\n[ ]*"""(?:.|\n)*?"""', "", textwrap.dedent("\n".join(lines)), count=1)
    lines = code.split("\n")
    shown = [*lines[:_LIMIT], "..."] if len(lines) > _LIMIT else lines
    where = inspect.getmodule(function)
    label = f"Source, in {where.__name__}" if where else "Source"
    inner = ["```python", *shown, "```"]
    return [f'??? quote "{label}"', "", *("    " + line if line else "" for line in inner), ""]
