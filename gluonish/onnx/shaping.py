"""ONNX's operators that move elements, or take some of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.shapes import expanded, target
from gluonish.onnx.values import DTYPES, handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.onnx.values import Node
    from gluonish.symbol import Symbol

_FAR = 2**31 - 1  # what exporters write for the end of an axis is at least that


@handles("Reshape")
def _reshape(node: Node) -> Any:
    lengths = node.known(1, "shape")
    if node.attrs.get("allowzero", 0) and 0 in lengths:
        node.refuse("allowzero=1, and a length of 0", "arrays with elements")
    return sym.reshape(node[0], shape=target(node, lengths) or (1,), name=node.name)


@handles("Flatten")
def _flatten(node: Node) -> Any:
    axis = node.axis(1)
    if axis == 1:
        return sym.Flatten(node[0], name=node.name)
    shape = node.shape(0)
    before, behind = _product(shape[:axis]), _product(shape[axis:])
    if before is None and behind is None:
        node.refuse(f"the shape {shape} has unknown lengths on both sides", "known ones on one")
    to = (-1, behind) if behind is not None else (before, -1)
    return sym.reshape(node[0], shape=to, name=node.name)


def _product(lengths: Sequence[int | None]) -> int | None:
    known = [length for length in lengths if length is not None]
    return math.prod(known) if len(known) == len(lengths) else None


@handles("Transpose")
def _transpose(node: Node) -> Any:
    axes = tuple(node.attrs.get("perm", ())) or tuple(reversed(range(node.rank())))
    return sym.transpose(node[0], axes=axes, name=node.name)


@handles("Squeeze")
def _squeeze(node: Node) -> Any:
    axes = node.known(1, "axes")
    if axes is None:
        axes = [axis for axis, length in enumerate(node.shape(0)) if length == 1]
    axes = {axis + node.rank() if axis < 0 else axis for axis in axes}
    if len(axes) == node.rank():  # MXNet's arrays have an axis at least
        return sym.reshape(node[0], shape=(1,), name=node.name)
    return sym.squeeze(node[0], axis=tuple(sorted(axes)), name=node.name)


@handles("Unsqueeze")
def _unsqueeze(node: Node) -> Any:
    axes = node.known(1, "axes")
    rank, data = node.rank() + len(axes), node[0]
    if node.rank() == 0:
        return sym.reshape(data, shape=(1,) * rank, name=node.name)
    for axis in sorted(axis + rank if axis < 0 else axis for axis in axes):
        data = sym.expand_dims(data, axis=axis)
    return data


@handles("Concat")
def _concat(node: Node) -> Any:
    return sym.concat(*node.all(), dim=node.axis(0), name=node.name)


@handles("Split")
def _split(node: Node) -> Any:
    axis, sizes = node.axis(0), node.known(1, "split")
    length, count = node.shape(0)[axis], len(node.outputs)
    if sizes is None:
        if length is None:
            node.refuse("the length to be split is not known", "a known one")
        each = -(-length // count)
        sizes = [min(each, length - start) for start in range(0, length, each)]
    ends = onp.cumsum(sizes).tolist()
    return [
        sym.slice_axis(node[0], axis=axis, begin=end - size, end=end)
        for size, end in zip(sizes, ends, strict=True)
    ]


@handles("Slice")
def _slice(node: Node) -> Any:
    starts, ends = node.known(1, "starts"), node.known(2, "ends")
    axes = node.known(3, "axes", list(range(len(starts))))
    steps = node.known(4, "", [1] * len(starts))
    rank = node.rank()
    parts = {
        axis + rank if axis < 0 else axis: part
        for axis, *part in zip(axes, starts, ends, steps, strict=True)
    }
    begin, end, step = zip(*(_part(parts.get(axis)) for axis in range(rank)), strict=True)
    return sym.slice(node[0], begin=begin, end=end, step=step, name=node.name)


def _part(part: Sequence[int] | None) -> tuple[int | None, int | None, int | None]:
    if part is None:
        return None, None, None
    start, end, step = part
    is_whole = abs(end) >= _FAR
    return (None if abs(start) >= _FAR else start), (None if is_whole else end), step


@handles("Gather")
def _gather(node: Node) -> Any:
    axis = node.axis(0)
    index = node.number(1)
    if index is not None and not node.shape(1):
        begin = int(index)
        end = None if begin == -1 else begin + 1
        part = sym.slice_axis(node[0], axis=axis, begin=begin, end=end)
        return part if node.rank() == 1 else sym.squeeze(part, axis=axis, name=node.name)
    return sym.take(node[0], node[1], axis=axis, mode="wrap", name=node.name)


@handles("GatherElements")
def _gather_elements(node: Node) -> Any:
    rank, axis = node.rank(), node.axis(0)
    if any(None in node.shape(place) for place in (0, 1)):
        node.refuse("shapes are not known", "known ones")
    wanted = [length or 0 for length in node.shape(1)]
    indices = sym.Cast(node[1], dtype="float32")
    rows = []
    for other in range(rank):
        if other == axis:
            length = node.shape(0)[axis] or 0
            places = sym.broadcast_mod(indices + length, sym.ones_like(indices) * length)
        else:
            shape = [1] * rank
            shape[other] = wanted[other]
            numbers = onp.arange(wanted[other], dtype="float32").reshape(shape)
            places = sym.broadcast_like(node.constant(f"axis{other}", numbers), indices)
        rows.append(places)
    return sym.gather_nd(node[0], sym.stack(*rows, axis=0), name=node.name)


@handles("GatherND")
def _gather_nd(node: Node) -> Any:
    node.only("batch_dims", 0)
    rank = node.rank(1)
    indices = sym.transpose(node[1], axes=(rank - 1, *range(rank - 1)))
    return sym.gather_nd(node[0], indices, name=node.name)


@handles("Expand")
def _expand(node: Node) -> Any:
    return expanded(node[0], max(node.rank(), 1), node.known(1))


@handles("ConstantOfShape")
def _constant_of_shape(node: Node) -> Any:
    value = node.attrs.get("value")
    number = 0.0
    dtype = "float32"
    if value is not None:
        import onnx

        array = onnx.numpy_helper.to_array(value)
        number, dtype = array.item(), str(array.dtype)
    data = node.constant("value", onp.full((1,), number, dtype))
    return expanded(data, 1, node.known(0))


@handles("ConstantFill")  # what PyTorch's exporter wrote for versions before 9
def _constant_fill(node: Node) -> Any:
    lengths = list(node.known(0) if node.attrs.get("input_as_shape", 0) else node.attrs["shape"])
    lengths += node.attrs.get("extra_shape", [])
    kind = DTYPES.get(node.attrs.get("dtype", 1))
    if kind is None or any(not isinstance(length, (int, float)) for length in lengths):
        node.refuse(f"a shape of {lengths}", "known lengths")
    return onp.full([int(length) for length in lengths], node.attrs.get("value", 0.0), kind)


@handles("Tile")
def _tile(node: Node) -> Any:
    return sym.tile(node[0], reps=tuple(node.known(1)), name=node.name)


@handles("Pad")
def _pad(node: Node) -> Any:
    node.only("mode", "constant", "edge", "reflect", "wrap")
    mode = node.attrs.get("mode", "constant")
    pads = node.known(1, "pads")
    value = float(onp.asarray(node.known(2, "value", 0.0)).item())
    axes = node.known(3, "", list(range(len(pads) // 2)))
    widths = [(0, 0)] * node.rank()
    for place, axis in enumerate(axes):
        widths[axis] = pads[place], pads[place + len(axes)]
    if any(width < 0 for pair in widths for width in pair):
        node.refuse(f"pads={pads}", "widths of 0 or more")
    return padded(node[0], widths, mode, value)


def padded(
    data: Symbol, widths: Sequence[tuple[int, int]], mode: str = "constant", value: float = 0
) -> Any:
    """Return data with elements around them."""
    flat = tuple(width for pair in widths for width in pair)
    if len(widths) in (4, 5) and not any(flat[:4]) and mode != "wrap":
        return sym.Pad(data, mode=mode, pad_width=flat, constant_value=value)
    options = {"constant_values": value} if mode == "constant" else {}
    return sym.np.pad(data.as_np_ndarray(), tuple(widths), mode, **options).as_nd_ndarray()


@handles("Size")
def _size(node: Node) -> Any:
    return sym.size_array(node[0], name=node.name)


@handles("OneHot")
def _one_hot(node: Node) -> Any:
    depth = int(onp.asarray(node.known(1)).item())
    off, on = node.known(2)
    data = sym.broadcast_mod(node[0] + depth, sym.ones_like(node[0]) * depth)
    result = sym.one_hot(data, depth=depth, on_value=on, off_value=off)
    rank = node.rank() + 1
    axis = node.attrs.get("axis", -1) % rank
    order = [*range(axis), rank - 1, *range(axis, rank - 1)]
    return result if axis == rank - 1 else sym.transpose(result, axes=tuple(order))


@handles("TopK")
def _top(node: Node) -> Any:
    count = int(onp.asarray(node.known(1, "k")).item())
    ascending = not node.attrs.get("largest", 1)
    found = sym.topk(
        node[0], axis=node.axis(-1), k=count, ret_typ="both", is_ascend=ascending, dtype="int64"
    )
    return [found[0], found[1]]


@handles("Trilu")
def _trilu(node: Node) -> Any:
    function = sym.np.triu if node.attrs.get("upper", 1) else sym.np.tril
    diagonal = int(onp.asarray(node.known(1, "", 0)).item())
    return function(node[0].as_np_ndarray(), k=diagonal).as_nd_ndarray()


@handles("Einsum")
def _einsum(node: Node) -> Any:
    parts = [each.as_np_ndarray() for each in node.all()]
    return sym.np.einsum(node.attrs["equation"], *parts).as_nd_ndarray()


@handles("DepthToSpace")
def _depth_to_space(node: Node) -> Any:
    size = node.attrs["blocksize"]
    if node.attrs.get("mode", "DCR") == "DCR":
        return sym.depth_to_space(node[0], block_size=size, name=node.name)
    data = sym.reshape(node[0], shape=(0, -4, -1, size * size, 0, 0))
    data = sym.reshape(data, shape=(0, 0, -4, size, size, 0, 0))
    data = sym.transpose(data, axes=(0, 1, 4, 2, 5, 3))
    return sym.reshape(data, shape=(0, 0, -3, -3), name=node.name)


@handles("SpaceToDepth")
def _space_to_depth(node: Node) -> Any:
    return sym.space_to_depth(node[0], block_size=node.attrs["blocksize"], name=node.name)


@handles("ReverseSequence")
def _reverse_sequence(node: Node) -> Any:
    steps, batch = node.attrs.get("time_axis", 0), node.attrs.get("batch_axis", 1)
    if (steps, batch) != (0, 1):
        node.refuse(f"time_axis={steps}, batch_axis={batch}", "steps before the batch")
    return sym.SequenceReverse(node[0], node[1], use_sequence_length=True, name=node.name)
