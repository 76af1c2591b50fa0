"""What the operators' cards say that mixed precision computes in which dtype.

The names are those of MXNet's files, among them some of operators that gluonish does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gluonish.ops import ops
from gluonish.ops.table import EITHER, FULL, WIDEST, Precision, file_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.ops import Op

Condition = tuple[str, str, list[str]]


@dataclass(frozen=True, slots=True)
class Lists:
    """What happens to operators, by their names in MXNet's files.

    Attributes
    ----------
    low : frozenset of str
        Computed in the low precision.
    full : frozenset of str
        Computed in float32.
    either : frozenset of str
        Computed in the dtype of what they are given.
    widest : frozenset of str
        Computed in the widest dtype among what they are given.
    conditions : tuple of (str, str, list of str)
        Operators that are computed in float32 if an argument has one of several values.
    """

    low: frozenset[str]
    full: frozenset[str]
    either: frozenset[str]
    widest: frozenset[str]
    conditions: tuple[Condition, ...]


# Operators that gluonish does not have.
_FULL = "_NDArray _Native _contrib_hawkesll"
_EITHER = """
_CachedOp _CrossDeviceCopy _CustomFunction _NoGradient _broadcast_backward _cond
_contrib_dequantize _contrib_getnnz _contrib_quantize _contrib_quantize_v2 _contrib_quantized_act
_contrib_quantized_concat _contrib_quantized_conv _contrib_quantized_elemwise_add
_contrib_quantized_flatten _contrib_quantized_fully_connected _contrib_quantized_pooling
_contrib_requantize _copyto _cvcopyMakeBorder _cvimdecode _cvimread _cvimresize _foreach _imdecode
_sample_unique_zipfian _set_value _sg_mkldnn_conv _sg_mkldnn_fully_connected _split_v2_backward
_while_loop
"""
_WIDEST = """
_contrib_dgl_adjacency _contrib_dgl_csr_neighbor_non_uniform_sample
_contrib_dgl_csr_neighbor_uniform_sample _contrib_dgl_graph_compact _contrib_dgl_subgraph
_contrib_edge_id
"""
_ABSENT = {
    **dict.fromkeys(_FULL.split(), FULL),
    **dict.fromkeys(_EITHER.split(), EITHER),
    **dict.fromkeys(_WIDEST.split(), WIDEST),
    "_TensorRT": Precision("either", ""),
}


def _named(op: Op) -> Iterator[tuple[str, Precision]]:
    """Yield the names that MXNet's lists may have of an operator, with what they say."""
    card = op.precision
    for path in op.nd:
        if f"nd.{path}" not in op.graph.written:  # which are functions, not operators
            yield file_name(path), card
            yield op.files["nd", path], card
    if card.float16:
        for name in op.sparse.names:
            yield f"_sparse_{name}", Precision(card.float16)
    yield from card.others.items()


def _read(dtype: str) -> Lists:
    """Return the lists for a low precision, as the operators' cards have them."""
    cards = dict(pair for op in ops() for pair in _named(op)) | _ABSENT
    found: dict[str, set[str]] = {"low": set(), "full": set(), "either": set(), "widest": set()}
    for name, card in cards.items():
        word = card.in_(dtype)
        if word:
            found[word].add(name)
    conditions = tuple(
        (op.name, argument, [*values])
        for op in ops()
        for argument, values in op.precision.when.items()
    )
    return Lists(**{word: frozenset(names) for word, names in found.items()}, conditions=conditions)


LOSS_OUTPUTS = tuple(
    op.name for op in sorted(ops(), key=lambda op: op.precision.loss) if op.precision.loss
)
FLOAT32_PARAMETERS = {
    op.name.rpartition(".")[2]: [*op.precision.parameters]
    for op in ops()
    if op.precision.parameters
}
FLOAT16 = _read("float16")
BFLOAT16 = _read("bfloat16")
