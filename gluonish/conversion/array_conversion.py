"""Converts files of arrays, one array after another."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

import torch

from gluonish.array.dtypes import CODE_OF_DTYPE, dtype_name, torch_dtype
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.conversion.graphs import copy_graph
from gluonish.conversion.naming import NAMES_KEY, mark_all, marks_of, original_names, renamed
from gluonish.conversion.plans import Converted, zoo_maker, zoo_name
from gluonish.conversion.reports import bytes_bar, is_shown
from gluonish.errors import ConversionError, DTypeError, InvalidArgumentError
from gluonish.errors.wording import counted, listed
from gluonish.gluon.model_zoo import torch_weights
from gluonish.serialization.any_format import open_arrays
from gluonish.serialization.elements import byte_size, byte_view, check_dtype, stored_form
from gluonish.serialization.files import replacing_together
from gluonish.serialization.formats import DENSE, Content, Item
from gluonish.serialization.kinds import TARGETS, WRITERS, format_to_save
from gluonish.symbol.files import load as load_symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.conversion.plans import Choices, PlannedJob
    from gluonish.gluon.model_zoo.vision.making import Classifier
    from gluonish.serialization.formats import ArrayFormat, Arrays

_SHOWN: Final = 5
# Which dtypes MXNet 1.9.1 reads; it knows no others that files may hold.
_MXNET_DTYPES: Final = frozenset(
    dtype for dtype, code in CODE_OF_DTYPE.items() if code <= 7 or dtype is torch.bfloat16
)


def convert_arrays(plan: PlannedJob, choices: Choices) -> Converted:
    """Convert a file of arrays; see `convert`."""
    assert plan.job.arrays is not None  # noqa: S101 - the caller looked
    target = WRITERS[choices.to]
    with open_arrays(plan.job.arrays) as source:
        items, notes = _planned(source, plan, choices)
        metadata = _metadata(source, [item.name for item in items])

        def values(position: int) -> Tensor | SparseTensor:
            return _stored(source, position, items[position])

        return _written(plan, choices, target, source, items, values, metadata, notes)


def convert_to_zoo(plan: PlannedJob, choices: Choices, net: Classifier) -> Converted:
    """Convert PyTorch's weights of a network to those of the zoo's network; see `convert`."""
    if plan.job.arrays is None or choices.names or choices.renames:
        msg = (
            f"{plan.job.main!r}: --to {choices.to} takes files of weights, and gives them the "
            f"network's names. Expected a state_dict, and no new names. Leave out --names and "
            f"--rename."
        )
        raise InvalidArgumentError(msg)
    with open_arrays(plan.job.arrays) as source:
        sources = torch_weights.fit(net, source)
        places = {item.name: place for place, item in enumerate(source.items)}
        items = []
        for name, each in sources.items():
            dtype = source.items[places[each.name]].dtype if each.name else torch.float32
            dtype = dtype if choices.dtype is None else torch_dtype(choices.dtype)
            size = byte_size(each.shape, dtype)
            items.append(Item(name, each.shape, dtype, DENSE, "", size))
        found = list(sources.values())

        def values(position: int) -> Tensor:
            each = found[position]
            given = source.dense(places[each.name]) if each.name else None
            return _cast(each.values(given), items[position].dtype)

        target = format_to_save(plan.outputs[0])
        notes = [net.form_note] if net.form_note else []
        return _written(plan, choices, target, source, items, values, {"format": "pt"}, notes)


def convert_to_torchvision(plan: PlannedJob, choices: Choices) -> Converted:
    """Convert parameters of a network of the zoo to torchvision's state_dict; see `convert`."""
    job = plan.job
    name = choices.net or zoo_name(job.stem)
    maker = None if name is None else zoo_maker(name)
    if maker is None or job.arrays is None or choices.names or choices.renames:
        msg = (
            f"{job.main!r}: --to {choices.to} takes the parameters of a network of the model zoo, "
            f"and gives them torchvision's names. Expected a file whose name begins with that of "
            f"the network, such as resnet50_v1-0000.params, and no new names. Say which network it "
            f"is, with --net resnet50_v1."
        )
        raise InvalidArgumentError(msg)
    with open_arrays(job.arrays) as source:
        heads = [
            item.shape[0]
            for item in source.items
            if item.name.split(":")[-1].startswith("output.") and item.name.endswith("weight")
        ]
        net = maker(classes=heads[-1]) if heads else maker()
        torch_weights.check_twin(net)
        net.load_parameters(job.arrays)
        tensors = torch_weights.state_dict(net)
        items = []
        for key, tensor in tensors.items():
            dtype = tensor.dtype
            if choices.dtype is not None and dtype.is_floating_point:
                dtype = torch_dtype(choices.dtype)
            shape = tuple(tensor.shape)
            items.append(Item(key, shape, dtype, DENSE, "", byte_size(shape, dtype)))
        found = list(tensors.values())

        def values(position: int) -> Tensor:
            return _cast(found[position], items[position].dtype)

        ends_so = plan.outputs[0].endswith(TARGETS["safetensors"].end)
        target = WRITERS["safetensors" if ends_so else "torch"]
        notes = [net.torch_note] if net.torch_note else []
        return _written(plan, choices, target, source, items, values, {"format": "pt"}, notes)


def _written(
    plan: PlannedJob,
    choices: Choices,
    target: ArrayFormat,
    source: Arrays,
    items: list[Item],
    read: Callable[[int], Tensor | SparseTensor],
    metadata: dict[str, str],
    notes: list[str],
) -> Converted:
    """Write arrays, compare what was written with them, and report."""
    job, path = plan.job, plan.outputs[0]
    total = sum(item.size for item in items)
    size = total * (1 + choices.verify)
    with bytes_bar(size, shows=is_shown(size, choices.progress), label=job.stem) as bar:

        def values(position: int) -> Tensor | SparseTensor:
            found = read(position)
            bar.update(items[position].size)
            return found

        content = Content(items, values, source.named, metadata, any(map(_is_numpy_shape, items)))
        with replacing_together(*plan.outputs) as (stream, *further):
            for graph_stream in further:
                copy_graph(job.graph or "", graph_stream)
            target.write(stream, content)
            checks = ""
            if choices.verify:
                stream.flush()
                checks = _verified(stream.name, path, content)
    sources = (job.arrays, job.graph) if len(plan.outputs) > 1 else (job.arrays,)
    return Converted(
        tuple(name for name in sources if name),
        plan.outputs,
        len(items),
        sum(math.prod(item.shape) for item in items),
        total,
        checks,
        tuple(source.notes + notes),
    )


def _planned(source: Arrays, plan: PlannedJob, choices: Choices) -> tuple[list[Item], list[str]]:
    """Return what a result will hold, with all that keeps it from being written found first."""
    names = _names(source, [item.name for item in source.items], plan, choices)
    keeps_sparse = WRITERS[choices.to].holds_sparse
    items, sparse = [], []
    for name, item in zip(names, source.items, strict=True):
        dtype, storage = item.dtype, item.storage
        check_dtype(torch.empty(0, dtype=dtype), f"array {item.name!r}")
        if choices.dtype is not None and dtype.is_floating_point:
            dtype = torch_dtype(choices.dtype)
        if storage != DENSE and not keeps_sparse:
            sparse.append(item.name)
            storage = DENSE
        items.append(Item(name, item.shape, dtype, storage, "", byte_size(item.shape, dtype)))
    notes = []
    if sparse:
        notes.append(f"{counted(len(sparse), 'sparse array')} made dense: {listed(sparse, _SHOWN)}")
    if choices.to == "mxnet":
        _check_for_mxnet(items)
        odd = [item.name for item in items if _is_numpy_shape(item)]
        if odd:
            notes.append(
                f"V3 records, for {listed(odd, _SHOWN)} without dimensions or elements: MXNet "
                f"reads them after npx.set_np() or under mx.util.np_shape()"
            )
    return items, notes


def _check_for_mxnet(items: Sequence[Item]) -> None:
    """Raise an error if MXNet 1.9.1 does not know a dtype."""
    foreign = [item for item in items if item.dtype not in _MXNET_DTYPES]
    if foreign:
        first = foreign[0]
        msg = (
            f"Saving array {first.name!r}: its dtype is {dtype_name(first.dtype)}, which MXNet "
            f"1.9.1 cannot read ({len(foreign)} of {len(items)} arrays). Expected one of "
            f"{', '.join(sorted(map(dtype_name, _MXNET_DTYPES)))}. Convert the arrays where the "
            f"file was made, or choose --to safetensors."
        )
        raise DTypeError(msg)


def _is_numpy_shape(item: Item) -> bool:
    """Return whether MXNet reads a shape only with NumPy's shapes switched on."""
    return 0 in item.shape or not item.shape


def _names(source: Arrays, old: Sequence[str], plan: PlannedJob, choices: Choices) -> list[str]:
    if not source.named:
        if choices.renames or choices.names == "torch":
            msg = (
                f"{source.name!r} holds a list without names. Expected names to change. Leave out "
                f"--names and --rename."
            )
            raise InvalidArgumentError(msg)
        return list(old)
    if choices.to != "mxnet" or choices.names is not None:
        return renamed(old, choices.names or "plain", choices.renames)
    told = original_names(source.metadata)
    original = [told.get(name, name) for name in old]
    if plan.job.graph is not None and not marks_of(original):
        auxiliary = dict.fromkeys(load_symbol(plan.job.graph).list_auxiliary_states())
        original = mark_all(original, auxiliary)
    return renamed(original, "keep", choices.renames)


def _metadata(source: Arrays, new: Sequence[str]) -> dict[str, str]:
    """Return what a safetensors file tells of where its arrays come from."""
    found = {key: text for key, text in source.metadata.items() if not key.startswith("gluonish.")}
    found["format"] = "pt"
    old = [item.name for item in source.items]
    layouts = sorted({item.layout for item in source.items})
    found["gluonish.source"] = ", ".join(layouts)
    original = original_names(source.metadata)
    changed = {
        after: original.get(before, before)
        for before, after in zip(old, new, strict=True)
        if original.get(before, before) != after
    }
    if changed:
        found[NAMES_KEY] = json.dumps(changed, ensure_ascii=False)
    return found


def _stored(source: Arrays, position: int, item: Item) -> Tensor | SparseTensor:
    """Return an array as the result holds it."""
    found = source.dense(position) if item.storage == DENSE else source.read(position)
    if isinstance(found, SparseTensor):
        return SparseTensor(
            found.shape, _cast(found.values, item.dtype), found.indices.long(),
            None if found.indptr is None else found.indptr.long(),
        )  # fmt: skip
    return _cast(found, item.dtype)


def _cast(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    return stored_form(tensor if tensor.dtype == dtype else tensor.to(dtype))


def _verified(temporary: str, path: str, content: Content) -> str:
    """Read a result, compare each array with its source, and return what was found."""
    with open_arrays(temporary) as written:
        positions = {item.name: place for place, item in enumerate(written.items)}
        wrong = sorted(positions.keys() ^ {item.name for item in content.items})
        for position, item in enumerate(content.items):
            if wrong:
                break
            if not _equal(written.read(positions[item.name]), content.values(position)):
                wrong.append(item.name)
    if wrong:
        msg = (
            f"{path!r}: as written, {counted(len(wrong), 'array')} differ from the source: "
            f"{listed(wrong, _SHOWN)}. Expected equal ones. It was not put in its place; report "
            f"this with the output of `gluonish doctor`."
        )
        raise ConversionError(msg)
    return f"{counted(len(content.items), 'array')} equal, bit for bit"


def _equal(found: Tensor | SparseTensor, expected: Tensor | SparseTensor) -> bool:
    if isinstance(found, SparseTensor) and isinstance(expected, SparseTensor):
        pairs = [(found.values, expected.values), (found.indices, expected.indices)]
        if found.indptr is not None and expected.indptr is not None:
            pairs.append((found.indptr, expected.indptr))
        is_alike = found.shape == expected.shape and found.storage == expected.storage
        return is_alike and all(_equal(*pair) for pair in pairs)
    if isinstance(found, SparseTensor) or isinstance(expected, SparseTensor):
        return False
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    return torch.equal(byte_view(stored_form(found)), byte_view(expected))
