"""Draws arguments that are no arrays, by the names that operators give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.differential.chance import Chance, Shape, Value, tuple_of

if TYPE_CHECKING:
    from collections.abc import Callable

LEFT_OUT = object()
"""In place of a value: the argument is not given."""

_DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")
_NEVER = (
    "ctx", "out", "name", "device", "workspace", "cudnn_tune", "cudnn_off", "stype", "num_args",
    "num_arrays", "num_weights", "is_int", "infer_range", "subok", "like", "optimize",
    "options", "overwrite_input", "kind", "min_calib_range",
    "max_calib_range", "target_shape", "keep_highest", "use_length", "lhs_begin", "lhs_end",
    "rhs_begin", "rhs_end", "lhs_axes", "rhs_axes", "check_valid",
)  # fmt: skip
_MODES = {
    "take": ("clip", "wrap", "raise"),
    "pick": ("clip", "wrap"),
    "mode": ("clip", "wrap"),
    "Pad": ("constant", "edge", "reflect"),
    "pad": ("constant", "edge", "reflect", "symmetric", "minimum", "maximum"),
    "L2Normalization": ("instance", "channel", "spatial"),
    "SoftmaxActivation": ("instance", "channel"),
}


def drawn(draw: Chance, op: str, name: str, kind: str, shapes: list[Shape]) -> Value:
    """Return a value for a parameter of an operator.

    Parameters
    ----------
    draw : Chance
        The source.
    op, name, kind : str
        Name of the operator and of its parameter, and what the latter's annotation says.
    shapes : list of tuple
        The shapes of the arrays that the operator is given.
    """
    if name in _NEVER:
        return LEFT_OUT
    shape = shapes[0] if shapes else draw.shape()
    if name in _BY_NAME:
        return _BY_NAME[name](draw, op, shape)
    if "bool" in kind:
        return draw.happens(0.5)
    if "DType" in kind:
        return draw.choice(_DTYPES)
    if name.startswith(("axis", "dim")) and "Sequence" not in kind and "Axes" not in kind:
        nothing = "None" in kind and draw.happens(0.2)
        return None if nothing else draw.axis(len(shape))
    if "ax" in name:
        return draw.axes(len(shape))
    if "str" in kind:
        return draw.choice(_MODES.get(op.rpartition(".")[2], ("clip", "wrap", "raise")))
    if "float" in kind or "Bound" in kind or "Number" in kind:
        return draw.number()
    if "Sequence" in kind or "Size" in kind or "Shape" in kind:
        return tuple_of(draw.shape(1, 3))
    return draw.one(0, 1, 2, 3, -1)


def seldom(draw: Chance, name: str, shape: Shape) -> Value:
    """Return a value for a parameter that is a hint, or that hardly a program gives."""
    if name == "layout":
        return {3: "NCW", 4: "NCHW", 5: "NCDHW"}.get(len(shape), LEFT_OUT)
    choices = _SELDOM.get(name)
    return draw.choice(choices) if choices else LEFT_OUT


_CPU = {"object": {"name": "cpu", "args": []}}
_SELDOM: dict[str, tuple[Value, ...]] = {
    "ctx": (_CPU, {"object": {"name": "cpu", "args": [0]}}, None),
    "workspace": (256, 1024),
    "cudnn_off": (True, False),
    "cudnn_tune": ("off", "fastest", "limited_workspace", None),
    "lazy_update": (True, False),
    "forward_stype": ("default", None),
    "sparse_grad": (True, False),
    "multi_output": (True, False),
    "preserve_shape": (True, False),
    "use_ignore": (True, False),
    "value": (0.0, -1.0, 2.5),
    "is_int": (True, False),
    "infer_range": (False,),
    "out": (None,),
    "name": ("mine",),
    "hermitian": (True, False),
    "UPLO": ("L", "U"),
    "tol": (None, 0.1, 1e-3),
    "prepend": (0, 1.5),
    "append": (0, 2),
    "period": (None, 2.0),
    "atol": (0.1, 1e-8),
    "rtol": (0.1, 1e-5),
    "equal_nan": (True, False),
    "variances": (tuple_of([0.1, 0.1, 0.2, 0.2]), tuple_of([0.2, 0.1, 0.3, 0.5])),
    "background_id": (0, -1, 1),
    "coord_start": (2,),
    "score_index": (1,),
    "position_sensitive": (False,),
    "iou_loss": (True, False),
    "reflect_type": ("even",),
    "order": ("C",),
    "subok": (True, False),
    "ndev": (1,),
    "im2col_step": (64,),
    "beta1": (0.9, 0.5),
    "beta2": (0.999, 0.9),
    "epsilon": (1e-8, 1e-3),
    "clip_weights": (-1.0, 0.5),
    "rescale_grad": (1.0, 0.5),
    "std2": (0.1, 0.5),
    "std3": (0.2, 1.0),
    "overwrite_input": (None, False),
    "side": ("left", "right"),
    "cast_narrow": (True, False),
    "always_copy": (True,),
    "use_length": (False,),
    "valid_thresh": (0.0, 0.3),
    "grad_scale": (1.0, 0.5),
    "keepdims": (True, False),
    "momentum": (0.5, 0.9),
    "eps": (1e-3, 1e-2),
    "output_mean_var": (True, False),
    "dtype": ("float32", "float64", None),
}


def _permuted(draw: Chance, op: str, shape: Shape) -> Value:
    if op.endswith("transpose"):
        axes = draw.sample(range(len(shape)), len(shape))
        return tuple_of([axis - len(shape) * draw.happens(0.1) for axis in axes])
    return draw.axes(len(shape))


def _bounds(draw: Chance, op: str, shape: Shape) -> Value:
    if op.endswith("slice_axis"):
        return draw.randint(-4, 4)
    count = draw.randint(1, max(1, len(shape)))
    return tuple_of([None if draw.happens(0.2) else draw.randint(-4, 5) for _ in range(count)])


def _steps(draw: Chance, op: str, shape: Shape) -> Value:
    if not op.endswith("slice"):
        return draw.one(1, 2, -1, 0.5)
    return tuple_of([draw.one(1, 1, 2, -1, -2, None) for _ in shape])


def _sections(draw: Chance, op: str, shape: Shape) -> Value:
    if draw.happens(0.5):
        return draw.one(1, 2, 3, *[size for size in shape if size])
    return tuple_of(sorted(draw.randint(0, 4) for _ in range(draw.randint(1, 3))))


def _reshaped(draw: Chance, op: str, shape: Shape) -> Value:
    parts = list(shape)
    if op.endswith("broadcast_to"):
        parts = [draw.one(1, 2, 3) if size == 1 else size for size in parts]
        return tuple_of([draw.one(2, 3)] * draw.happens(0.2) + parts)
    kind = draw.random()
    if kind < 0.3:
        draw.shuffle(parts)
    elif kind < 0.5 and len(parts) > 1:
        place = draw.randrange(len(parts) - 1)
        parts[place : place + 2] = [parts[place] * parts[place + 1]]
    elif kind < 0.6:
        parts = [draw.one(0, -1, -2, -3, -4, 1, 2) for _ in range(draw.randint(1, 4))]
    if parts and draw.happens(0.4):
        parts[draw.randrange(len(parts))] = -1
    if parts and draw.happens(0.2):
        parts[draw.randrange(len(parts))] = 0
    return tuple_of(parts)


def _drawn_shape(draw: Chance, op: str, shape: Shape) -> Value:
    if any(word in op for word in ("eshape", "broadcast_to", "resize")):
        return _reshaped(draw, op, shape)
    return draw.one(tuple_of(draw.shape(1, 3)), draw.size())


def _where(draw: Chance, op: str, shape: Shape) -> Value:
    if draw.happens(0.3):
        return True
    return draw.array(draw.alike(shape), "bool", ("ints", 0, 1))


_BY_NAME: dict[str, Callable[[Chance, str, Shape], Value]] = {
    "where": _where,
    "initial": lambda draw, op, shape: draw.one(None, draw.number()),
    "order": lambda draw, op, shape: draw.one("C", "C", "F", "A", "K"),
    "axes": _permuted,
    "begin": _bounds,
    "end": _bounds,
    "step": _steps,
    "indices_or_sections": _sections,
    "shape": _drawn_shape,
    "newshape": _reshaped,
    "new_shape": _reshaped,
    "size": lambda draw, op, shape: draw.one(None, tuple_of(draw.shape(1, 3)), draw.size()),
    "ord": lambda draw, op, shape: draw.one(
        1,
        2,
        *(
            [-1, -2, 0, 3, {"float": "inf"}, {"float": "-inf"}, "fro", "nuc", None]
            if "linalg" in op
            else []
        ),
    ),
    "num_outputs": lambda draw, op, shape: draw.one(1, 2, 3, *shape),
    "num": lambda draw, op, shape: draw.one(0, 1, 2, 5, 7),
    "N": lambda draw, op, shape: draw.one(0, 1, 3, 5),
    "M": lambda draw, op, shape: draw.one(0, 1, 3, 5),
    "k": lambda draw, op, shape: draw.one(0, 1, 1, 2, 3, -1, -2),
    "ret_typ": lambda draw, op, shape: draw.one("value", "indices", "mask", "both"),
    "reps": lambda draw, op, shape: draw.one(
        2, 1, 3, tuple_of([draw.one(1, 2, 3, 0) for _ in range(draw.randint(1, 4))])
    ),
    "repeats": lambda draw, op, shape: draw.one(1, 2, 3),
    "repeat": lambda draw, op, shape: draw.one(1, 2),
    "depth": lambda draw, op, shape: draw.one(1, 3, 6),
    "block_size": lambda draw, op, shape: draw.one(1, 2, 3),
    "bins": lambda draw, op, shape: draw.one(1, 3, 10),
    "range": lambda draw, op, shape: tuple_of([draw.one(-2, 0, 0.5), draw.one(1, 2, 3.5)]),
    "dtype": lambda draw, op, shape: draw.choice(_DTYPES),
    "out_dtype": lambda draw, op, shape: draw.choice(_DTYPES),
    "stype": lambda draw, op, shape: draw.one("default", "row_sparse", "csr"),
    "temperature": lambda draw, op, shape: draw.one(None, 1.0, 0.5, 2.5),
    "act_type": lambda draw, op, shape: draw.one("relu", "sigmoid", "tanh", "softrelu", "softsign"),
    "ddof": lambda draw, op, shape: draw.one(0, 1, 2),
    "decimals": lambda draw, op, shape: draw.one(0, 1, 2, -1),
    "shift": lambda draw, op, shape: draw.one(1, -2, 5, tuple_of([1, 2])),
    "interpolation": lambda draw, op, shape: draw.one(
        "linear", "lower", "higher", "midpoint", "nearest"
    ),
    "UPLO": lambda draw, op, shape: draw.one("L", "U"),
    "side": lambda draw, op, shape: draw.one("left", "right"),
    "indexing": lambda draw, op, shape: draw.one("xy", "ij"),
    "q": lambda draw, op, shape: draw.one(0.5, 0, 1, 0.3, 30),
    "n": lambda draw, op, shape: draw.one(1, 2, 0, 3),
    "format": lambda draw, op, shape: draw.one("corner", "center"),
    "in_format": lambda draw, op, shape: draw.one("corner", "center"),
    "out_format": lambda draw, op, shape: draw.one("corner", "center"),
    "smooth_alpha": lambda draw, op, shape: draw.one(0.0, 0.1),
    "normalization": lambda draw, op, shape: draw.one("null", "batch", "valid"),
    "forward_stype": lambda draw, op, shape: None,
    "minlength": lambda draw, op, shape: draw.one(0, 3, 8),
    "interp": lambda draw, op, shape: draw.one(0, 1, 2, 3),
    "sampler_type": lambda draw, op, shape: "bilinear",
    "clip_gradient": lambda draw, op, shape: draw.one(-1.0, 0.5, 0.0, 2.0),
}
