"""How arrays, parameters and Blocks look in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.tensors import held
from gluonish.block.parameter import State
from gluonish.display.tables import GAP, heading, preformatted, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gluonish.array import NDArray
    from gluonish.block import Block, Parameter, ParameterDict

__all__ = ["array_html", "block_html", "parameter_html", "parameters_html"]

_MOST = 12  # rows and columns of an array that are shown without a gap
_EDGE = 5  # rows and columns on each side of a gap
_LAYERS = 200
_INDENT = "\u2003"  # a space that HTML keeps


def array_html(array: NDArray) -> str:
    """Return an array as HTML: its kind, and a table of its values if it has one or two axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.html import array_html
    >>> array_html(mx.nd.array([[1, 2]])).count('<td')
    2
    """
    head = heading(
        f"{type(array).__name__} {_shape(array.shape)}", _dtype(array.dtype), str(array.context)
    )
    if array.stype != "default" or array.ndim not in (1, 2) or not array.size:
        return head + preformatted(repr(array).strip("\n"))
    rows, columns = (_positions(size) for size in (1, *array.shape)[-2:])
    values = held(array).detach()
    matrix = values.reshape(-1, array.shape[-1])
    kept_rows = [row for row in rows if row is not None]
    kept = matrix[kept_rows][:, [column for column in columns if column is not None]]
    texts = iter([[_number(value) for value in row] for row in kept.cpu().tolist()])
    cells = [_with_gap(next(texts) if row is not None else None, columns) for row in rows]
    return head + table([GAP if c is None else c for c in columns], cells, index=rows)


def parameter_html(param: Parameter) -> str:
    """Return a Parameter as HTML: a line about it, and its values if it has some.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.html import parameter_html
    >>> '(3, ?)' in parameter_html(mx.gluon.Parameter('weight', shape=(3, 0)))
    True
    """
    head = heading(
        f"{type(param).__name__} {param.name}", _shape(param.shape), _dtype(param.dtype),
        f"grad_req={param.grad_req!r}", _state(param),
    )  # fmt: skip
    return head + (array_html(param.list_data()[0]) if _is_dense_and_ready(param) else "")


def parameters_html(params: ParameterDict) -> str:
    """Return the parameters of a Block as a table.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.html import parameters_html
    >>> '2 parameters' in parameters_html(mx.gluon.nn.Dense(3).collect_params())
    True
    """
    rows = [
        [name, _shape(p.shape), _dtype(p.dtype), str(_size(p) or "?"), p.grad_req, _state(p)]
        for name, p in params.items()
    ]
    head = heading(f"ParameterDict {params.prefix}".rstrip(), f"{len(rows)} parameters")
    titles = ["name", "shape", "dtype", "numbers", "grad_req", "state"]
    return head + table(titles, rows, numbers=("numbers",))


def block_html(block: Block) -> str:
    """Return a Block as a table of its layers, with the numbers of their parameters.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.viz.html import block_html
    >>> net = mx.gluon.nn.Sequential()
    >>> net.add(mx.gluon.nn.Dense(3, in_units=2), mx.gluon.nn.Dense(1, in_units=3))
    >>> '13 numbers in parameters' in block_html(net)
    True
    """
    layers = list(_layers(block, "", 0))
    sizes = {id(p): _size(p) for p in block.collect_params().values()}
    unknown = sum(size is None for size in sizes.values())
    total = f"{sum(size or 0 for size in sizes.values()):,} numbers in parameters"
    if unknown:
        total += f", {unknown} parameter{'s' if unknown > 1 else ''} of unknown shape"
    rows = [[_INDENT * depth + path, *cells] for path, depth, cells in layers]
    shown = rows[:_LAYERS]
    if len(rows) > _LAYERS:
        shown.append([f"{GAP} {len(rows) - _LAYERS} more", "", "", ""])
    head = heading(f"{type(block).__name__} {block.name}", total)
    titles = ["layer", "kind", "parameters", "numbers"]
    return head + table(titles, shown, numbers=("numbers",))


def _layers(block: Block, path: str, depth: int) -> Iterator[tuple[str, int, list[str]]]:
    own = [(name, param) for name, param in block._reg_params.items()]
    named = ", ".join(f"{name} {_shape(param.shape)}" for name, param in own)
    sizes = [_size(param) for _, param in own]
    numbers = "" if not own else "?" if None in sizes else f"{sum(s or 0 for s in sizes):,}"
    yield path or "(whole)", depth, [type(block).__name__, named, numbers]
    for name, child in block._children.items():
        yield from _layers(child, f"{path}.{name}" if path else name, depth + 1)


def _size(param: Parameter) -> int | None:
    shape = param.shape
    if shape is None or any(not size or size < 0 for size in shape):
        return None
    size = 1
    for each in shape:
        size *= each
    return size


def _state(param: Parameter) -> str:
    if param.state is State.READY:
        return ", ".join(map(str, param.list_ctx()))
    return param.state.name.lower().replace("_", " ")


def _is_dense_and_ready(param: Parameter) -> bool:
    return param.state is State.READY and param._stype == "default"


def _positions(size: int) -> list[int | None]:
    if size <= _MOST:
        return list(range(size))
    return [*range(_EDGE), None, *range(size - _EDGE, size)]


def _with_gap(values: Sequence[str] | None, columns: Sequence[int | None]) -> list[str]:
    if values is None:
        return [GAP for _ in columns]
    rest = iter(values)
    return [GAP if column is None else next(rest) for column in columns]


def _number(value: float | bool) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _shape(shape: Iterable[int | None] | None) -> str:
    if shape is None:
        return "(?)"
    sizes = [str(size) if size and size > 0 else "?" for size in shape]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


def _dtype(dtype: object) -> str:
    return str(getattr(dtype, "__name__", dtype))
