"""Rules for what graphs write in place of NumPy's functions; see `recorded` of `Op`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gluonish.array.guises import as_written, plain_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.ops.table.registry import Call

Recorded: TypeAlias = "tuple[str, dict[str, Any]] | None"
Given: TypeAlias = "Mapping[str, Any]"

_NUMBERS = (int, float)


def as_other(file: str, /, **constants: Any) -> Callable[[Given], Recorded]:
    """Return a rule: an operator of one array that has these arguments besides.

    Examples
    --------
    >>> from gluonish.ops.np.recorded import as_other
    >>> as_other('_npi_full_like', fill_value=0)({'a': 'x', 'dtype': 'int32'})
    ('_npi_full_like', {'a': 'x', 'dtype': 'int32', 'fill_value': 0})
    """

    def rule(given: Given) -> Recorded:
        return file, {**given, **constants}

    return rule


def renamed(file: str, /, **names: str) -> Callable[[Given], Recorded]:
    """Return a rule: an operator of graphs alone, which calls some arguments otherwise.

    Examples
    --------
    >>> from gluonish.ops.np.recorded import renamed
    >>> renamed('_npi_nan_to_num', x='data')({'x': 'a', 'nan': 1.0})
    ('_npi_nan_to_num', {'data': 'a', 'nan': 1.0})
    """

    def rule(given: Given) -> Recorded:
        return file, {names.get(name, name): value for name, value in given.items()}

    return rule


def where(given: Given) -> Recorded:
    """Rule of `where`: arrays and numbers have operators of their own."""
    x, y = given.get("x"), given.get("y")
    if x is None or y is None:
        return None
    condition = {"condition": given["condition"]}
    if isinstance(x, _NUMBERS) and isinstance(y, _NUMBERS):
        return "_npi_where_scalar2", {**condition, "x": float(x), "y": float(y)}
    if isinstance(x, _NUMBERS):
        return "_npi_where_lscalar", {**condition, "x": y, "scalar": float(x)}
    if isinstance(y, _NUMBERS):
        return "_npi_where_rscalar", {**condition, "y": x, "scalar": float(y)}
    return "_npi_where", {**condition, "x": x, "y": y}


def split_along(axis: int | None, file: str = "_split_v2") -> Callable[[Given], Recorded]:
    """Return the rule of a function that splits along an axis; None where that is an argument.

    Examples
    --------
    >>> from gluonish.ops.np.recorded import split_along
    >>> split_along(0)({'ary': 'x', 'indices_or_sections': [1]})[1]['indices']
    [0, 1]
    """

    def rule(given: Given) -> Recorded:
        places = given["indices_or_sections"]
        is_count = isinstance(places, int)
        return file, {
            "data": given["ary"],
            "indices": [] if is_count else [0, *places],
            "axis": given.get("axis", 0) if axis is None else axis,
            "squeeze_axis": given.get("squeeze_axis", False),
            "sections": places if is_count else 0,
        }

    return rule


def tensordot(given: Given) -> Recorded:
    """Rule of `tensordot`: numbers of axes and axes themselves have operators of their own."""
    arrays = {"a": given["a"], "b": given["b"]}
    axes = given.get("axes", 2)
    if isinstance(axes, int):
        return "_npi_tensordot_int_axes", {**arrays, "axes": axes}
    first, second = ((each,) if isinstance(each, int) else tuple(each) for each in axes)
    return "_npi_tensordot", {**arrays, "a_axes_summed": first, "b_axes_summed": second}


def average(given: Given) -> Recorded:
    """Rule of `average`: a flag tells where there are no weights."""
    weights = given.get("weights")
    arrays = {"a": given["a"]} | ({} if weights is None else {"weights": weights})
    return "_npi_average", {
        **arrays,
        "axis": given.get("axis"),
        "returned": given.get("returned", False),
        **({"weighted": False} if weights is None else {}),
    }


def einsum(given: Given) -> Recorded:
    """Rule of `einsum`: graphs have a number for whether there is a plan."""
    return "_npi_einsum", {**given, "optimize": int(given.get("optimize", False))}


def pad(given: Call) -> Recorded:
    """Rule of `pad`: graphs have the constant, or the kind of reflection, where it counts."""
    mode = given["mode"]
    more: dict[str, Any] = {}
    if mode == "constant":
        more["constant_values"] = given["constant_values"]
    elif mode in ("reflect", "symmetric"):
        more["reflect_type"] = given["reflect_type"]
    return "_npi_pad", {**given, "mode": mode, **more}


def percentile(given: Given) -> Recorded:
    """Rule of `percentile`: one percentage is an argument, several are an array."""
    share = as_written(given["q"])
    is_one = isinstance(share, _NUMBERS)
    return "_npi_percentile", {
        "a": given["a"],
        **({"q_scalar": share} if is_one else {"q": share, "q_scalar": None}),
        "axis": given.get("axis"),
        "interpolation": given.get("interpolation", "linear"),
        "keepdims": given.get("keepdims", False),
    }


def bincount(given: Given) -> Recorded:
    """Rule of `bincount`: a flag tells whether there are weights."""
    weights = given.get("weights")
    arrays = {"data": given["x"]} | ({} if weights is None else {"weights": weights})
    minlength = given.get("minlength", 0)
    return "_npi_bincount", {**arrays, "minlength": minlength, "has_weights": weights is not None}


def ediff1d(given: Given) -> Recorded:
    """Rule of `ediff1d`: numbers at the ends are arguments, arrays are inputs."""
    found: dict[str, Any] = {"input1": given["ary"]}
    arrays = ["input2", "input3"]
    for end in ("begin", "end"):
        value = given.get(f"to_{end}")
        is_array = not (value is None or isinstance(value, _NUMBERS))
        if is_array:
            found[arrays.pop(0)] = value
        found[f"to_{end}_arr_given"] = is_array
        found[f"to_{end}_scalar"] = None if is_array else value
    return "_npi_ediff1d", found


def pinv(given: Given) -> Recorded:
    """Rule of `pinv`: a share is an argument or an array."""
    share = given.get("rcond", 1e-15)
    name = "_npi_pinv_scalar_rcond" if isinstance(share, _NUMBERS) else "_npi_pinv"
    rest = {"rcond": share, "hermitian": given.get("hermitian", False)}
    return name, {"A": given["a"], **rest}


def identity(given: Given) -> Recorded:
    """Rule of `identity`: graphs have its shape."""
    rest = {name: value for name, value in given.items() if name != "n"}
    return "_npi_identity", {"shape": (given["n"], given["n"]), **rest}


def full(given: Call) -> Any:  # noqa: ANN401 - a Symbol, which stands above
    """Rule of `full`: the number has another name in graphs, and an array is broadcast."""
    value = given["fill_value"]
    if not isinstance(value, _NUMBERS):
        wide = given.F.np.broadcast_to(value, given["shape"])
        return wide if given.get("dtype") is None else wide.astype(given["dtype"])
    names = {"fill_value": "value"}
    rest = {names.get(name, name): value for name, value in given.items() if name != "order"}
    if isinstance(given["fill_value"], bool):
        rest = {"dtype": "bool", **rest, "value": int(given["fill_value"])}
    return "_full", rest


def norm(given: Call) -> Any:  # noqa: ANN401 - a Symbol, which stands above
    """Rule of `linalg.norm`: sums and extremes, or a flag for the kind of order."""
    order, axis, keepdims = given.get("ord"), given.get("axis"), given.get("keepdims", False)
    axes: Any = (axis,) if isinstance(axis, int) else axis
    pair = axes if axes is not None and len(axes) == 2 else None
    if order in ("inf", "-inf") and pair is None:
        extreme = given.F.np.max if order == "inf" else given.F.np.min
        return extreme(given.F.np.abs(given["x"]), axis=axes, keepdims=keepdims)
    if pair is not None and min(pair) >= 0 and order in (1, -1, "inf", "-inf"):
        summed, other = pair if order in (1, -1) else pair[::-1]
        extreme = given.F.np.max if order in (1, "inf") else given.F.np.min
        sums = given.F.np.sum(given.F.np.abs(given["x"]), axis=summed, keepdims=keepdims)
        place = other - (other > summed and not keepdims)  # it moves where the first axis goes
        return extreme(sums, axis=place, keepdims=keepdims)
    if order is None:
        flag = -2 if axes is None else 1
    elif order in ("fro", "nuc"):
        flag = {"fro": 1, "nuc": 2}[order]
    else:
        flag = 0 if pair is not None and order in (2, -2) else -1
    return "_npi_norm", {
        "data": given["x"],
        "ord": 2 if order in (None, "fro", "nuc") else order,
        "axis": axes,
        "keepdims": keepdims,
        "flag": flag,
    }


def clip(given: Given) -> Recorded:
    """Rule of `clip`: graphs have limits for both sides."""
    limits = {"a_min": float("-inf"), "a_max": float("inf")}
    limits.update((name, given[name]) for name in limits if given.get(name) is not None)
    if not all(isinstance(limit, _NUMBERS) for limit in limits.values()):
        return None
    return "clip", {"data": given["a"], **limits}


def flip(given: Given) -> Recorded:
    """Rule of `flip`: graphs have the axis even where all are meant."""
    return "_npi_flip", {"m": given["m"], "axis": given.get("axis")}


def flip_along(axis: int) -> Callable[[Given], Recorded]:
    """Return the rule of a function that flips along an axis.

    Examples
    --------
    >>> from gluonish.ops.np.recorded import flip_along
    >>> flip_along(1)({'m': 'x'})
    ('_npi_flip', {'m': 'x', 'axis': 1})
    """

    def rule(given: Given) -> Recorded:
        return "_npi_flip", {"m": given["m"], "axis": axis}

    return rule


def inner(given: Given) -> Recorded:
    """Rule of `inner`: a product over the last axes."""
    last = (-1,)
    return "_npi_tensordot", {
        "a": given["a"],
        "b": given["b"],
        "a_axes_summed": last,
        "b_axes_summed": last,
    }


def arange(given: Given) -> Recorded:
    """Rule of `arange`: graphs have both ends."""
    start, stop = given["start"], given.get("stop")
    ends = {"start": 0, "stop": start} if stop is None else {"start": start, "stop": stop}
    return "_npi_arange", {**given, **ends}


def ravel(given: Given) -> Recorded:
    """Rule of `ravel`: a shape of one axis."""
    return "_npx_reshape", {"a": given["x"], "newshape": -1}


def append(given: Given) -> Recorded:
    """Rule of `append`: two arrays are joined."""
    arrays = [given["arr"], given["values"]]
    return "_npi_concatenate", {"seq": arrays, "axis": given.get("axis")}


def quantile(given: Given) -> Recorded:
    """Rule of `quantile`: a percentile, of one number or a Symbol."""
    share = as_written(given["q"])
    is_found = isinstance(share, _NUMBERS) or hasattr(share, "list_arguments")
    return percentile({**given, "q": share * 100}) if is_found else None


def diag_indices_from(given: Given) -> Recorded:
    """Rule of `diag_indices_from`: graphs have the rows of one array."""
    return "_npi_diag_indices_from", {"data": given["arr"]}


def argsort(given: Given) -> Recorded:
    """Rule of `argsort`: graphs have the dtype of its positions."""
    axis = given.get("axis", -1)
    return "argsort", {"data": given["a"], "axis": axis, "is_ascend": True, "dtype": "int64"}


def histogram(given: Given) -> Recorded:
    """Rule of `histogram`: the number of ranges is an argument, edges are an array."""
    bins = plain_number(given.get("bins", 10))
    name = "bin_cnt" if isinstance(bins, int) else "bins"
    rest = {"range": given["range"]} if given.get("range") is not None else {}
    return "_histogram", {"data": given["a"], name: bins, **rest}


def delete(given: Given) -> Recorded:
    """Rule of `delete`: one position and slices are arguments, several positions an array."""
    found = _places(given["obj"])
    if found is None:
        return None
    return "_npi_delete", {"arr": given["arr"], **found, "axis": given.get("axis")}


def insert(given: Given) -> Recorded:
    """Rule of `insert`: one position, slices and arrays have operators of their own."""
    places, values = _places(given["obj"]), given["values"]
    if places is None:
        return None
    kind = "tensor" if "obj" in places else "scalar" if "int_ind" in places else "slice"
    value = {"val": values} if isinstance(values, _NUMBERS) else {"values": values}
    rest = {**places, "axis": given.get("axis")}
    return f"_npi_insert_{kind}", {"arr": given["arr"], **value, **rest}


def _places(obj: object) -> dict[str, Any] | None:
    """Return positions as arguments; None for lists, which only an array can hold."""
    if isinstance(obj, slice):
        return {"start": obj.start, "stop": obj.stop, "step": obj.step}
    if isinstance(obj, (list, tuple)):
        return None
    return {"int_ind": obj} if isinstance(obj, int) else {"obj": obj}
