"""Differences that docs/differences.md argues: where it does, and how each is recognized."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

from fuzz.differential import rare_runners, runners  # noqa: F401 - registers its runners
from fuzz.differential.comparing import alike, coarseness
from fuzz.differential.targets import named
from fuzz.differential.values import array_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fuzz.differential.comparing import Answer, Difference

Case = dict[str, Any]
_WITHIN = 4  # times what nudged inputs change: what is rounded within a net changes more


class Known(NamedTuple):
    """A difference that is argued.

    Attributes
    ----------
    heading : str
        The words in bold, in docs/differences.md, that begin its paragraph.
    names : str
        Regular expression for the front end and the name of what is called.
    test : callable
        Whether a difference is this one: it receives the case, what differs, and both answers.
    """

    heading: str
    names: str
    test: Callable[[Case, Difference, Answer, Answer], bool]


def argued(case: Case, found: Difference, ours: Answer, theirs: Answer) -> Known | None:
    """Return the rule that recognizes a difference as one that is argued, None if none does."""
    name = f"{case['front']}.{case['name']}"
    if case["front"] == "node":  # its arrays are what operators have as positional arguments
        case = {**case, "args": case["inputs"], "inputs": []}
    for known in KNOWN:
        if re.fullmatch(known.names, name) and known.test(case, found, ours, theirs):
            return known
    return None


def numbers(part: Any) -> Iterator[onp.ndarray]:
    """Yield the arrays in a part of an answer."""
    if isinstance(part, dict):
        for each in part.values():
            yield from numbers(each)
    elif isinstance(part, (list, tuple)):
        if len(part) == 5 and part[0] == "array":
            yield onp.frombuffer(part[4], part[2]).reshape(part[3])
        elif not (part and part[0] in ("scalar", "other")):
            for each in part:
                yield from numbers(each)


def specs(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the descriptions of arrays in a case's arguments."""
    if isinstance(value, list):
        for part in value:
            yield from specs(part)
    elif isinstance(value, dict):
        if "array" in value:
            yield value["array"]
        else:
            for part in value.values():
                yield from specs(part)


def gaps(
    case: Case, found: Difference, ours: Answer, theirs: Answer
) -> tuple[onp.ndarray, onp.ndarray]:
    """Return our numbers and MXNet's where they differ, in the part of the answer that does."""
    mine: list[onp.ndarray] = [onp.zeros(0)]
    other: list[onp.ndarray] = [onp.zeros(0)]
    least = coarseness(case) * (5 if found.kind.startswith("gradient") else 1)
    pairs = (numbers(_part(answer, found)) for answer in (ours, theirs))
    for first, second in zip(*pairs, strict=False):
        if first.shape != second.shape:
            return onp.zeros(0), onp.zeros(0)
        apart = ~alike(first, second, least)
        mine.append(first.astype("float64")[apart])
        other.append(second.astype("float64")[apart])
    return onp.concatenate(mine), onp.concatenate(other)


def _part(answer: Answer, found: Difference) -> Any:
    """Return the part of an answer that differs: the result, `out`, a gradient, or an argument."""
    words = found.details.split(" ")
    if words[0] == "changed":
        return dict(answer["changed"]).get(int(words[1]))
    if words[0] == "gradient" and isinstance(answer.get("gradients"), list):
        return answer["gradients"][int(words[1])]
    return answer.get("out" if words[0] == "out" else "result")


def _given(case: Case) -> list[dict[str, Any]]:
    return list(specs([case["args"], case["kwargs"], case.get("inputs", [])]))


def _matches_no_box(args: list[Any]) -> bool:
    """Whether `box_encode` is given matches that are no positions of its reference boxes."""
    samples, matches, _, boxes = args[:4]
    places = array_of((samples if "given" in matches else matches)["array"])
    return bool(((places < 0) | (places >= boxes["array"]["shape"][1])).any())


def _is_special(case: Case, *_: Any) -> bool:
    """Whether an array has infinities or NaN."""
    return any(spec["values"][0] == "special" for spec in _given(case))


def _has_integers(case: Case) -> bool:
    return any(spec["dtype"].startswith(("int", "uint", "bool")) for spec in _given(case))


def _in_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.kind == "gradient values"


def _without_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet has no gradient at all: what NumPy itself computes."""
    gradients = theirs.get("gradients")
    if not _in_gradient(case, found, ours, theirs) or not isinstance(gradients, list):
        return False
    return not any(array.any() for array in numbers(gradients))


def _undefined(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's gradient is no number, or infinite, wherever ours is another."""
    _, other = gaps(case, found, ours, theirs)
    return _in_gradient(case, found, ours, theirs) and not onp.isfinite(other).any()


def _not_a_number(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's number is NaN wherever ours is another."""
    _, other = gaps(case, found, ours, theirs)
    return "values" in found.kind and other.size > 0 and bool(onp.isnan(other).all())


def _ours_not_a_number(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return _not_a_number(case, found, theirs, ours)


def _either_not_a_number(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether one is NaN wherever the two differ."""
    mine, other = gaps(case, found, ours, theirs)
    nothing = onp.isnan(mine) | onp.isnan(other)
    return "values" in found.kind and mine.size > 0 and bool(nothing.all())


def _beyond(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether what gluonish computes in float64 is beyond a dtype wherever numbers differ."""
    if found.kind not in ("values", "changed values") or found.details.startswith("changed"):
        return False
    pairs = [[*numbers(_part(answer, found))] for answer in (ours, theirs)]
    wide = computed_in_float64(case)
    if wide is None:
        return False
    is_one = False
    for first, second, exact in zip(*pairs, wide, strict=False):
        if first.shape != exact.shape or second.shape != exact.shape:
            return False
        if first.dtype.kind not in "iu":
            if not alike(first, second, coarseness(case)).all():
                return False
            continue
        limits = onp.iinfo(first.dtype)
        is_held = (exact > limits.min - 1) & (exact < limits.max + 1.0)
        if ((first != second) & is_held).any():
            return False
        is_one = is_one or bool((first != second).any())
    return is_one


def computed_in_float64(case: Case) -> list[onp.ndarray] | None:
    """Return what gluonish answers where integers of arguments and results are float64."""
    answer = _answered_in_float64({**case, "mode": "eager", "gradient": False, "out": False})
    return None if answer is None else list(numbers(answer["result"]))


def _answered_in_float64(case: Case) -> Answer | None:
    text = json.dumps(case)
    wide = json.loads(re.sub(r'"(uint8|int8|int32|int64|float32|float16)"', '"float64"', text))
    if wide["front"] == "node":
        wide = {**wide, "args": [], "inputs": wide["args"]}
    runners.start("gluonish")
    try:
        return dict(runners.answer(wide))
    except Exception:  # noqa: BLE001 - whatever is refused tells nothing
        return None


def _is_borne_out(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether ours is what float64 gives wherever numbers of float16 differ, and MXNet's is not."""
    if "values" not in found.kind or "float16" not in json.dumps(case):
        return False
    wide = _answered_in_float64({**case, "mode": case.get("mode", "eager")})
    if wide is None:
        return False
    least = coarseness(case)
    parts = [[*numbers(_part(answer, found))] for answer in (ours, theirs, wide)]
    is_one = False
    for first, second, exact in zip(*parts, strict=False):
        if not first.shape == second.shape == exact.shape:
            return False
        apart = ~alike(first, second, least * (5 if found.kind.startswith("gradient") else 1))
        mine, other = (onp.abs(each.astype("float64") - exact)[apart] for each in (first, second))
        if not (alike(first, exact.astype(first.dtype), least)[apart] & (2 * mine < other)).all():
            return False
        is_one = is_one or bool(apart.any())
    return is_one


def _rounding_decides(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's are as near to ours as ours for inputs that rounding changes."""
    if "values" not in found.kind:
        return False
    if case["front"] == "node":
        case = {**case, "args": [], "inputs": case["args"]}
    runners.start("gluonish")
    names = {spec["dtype"] for spec in specs([case["args"], case.get("inputs", [])])}
    step = max((float(onp.finfo(name).eps) for name in names if "float" in name), default=0.0)
    several: list[Answer] = []
    for times in (0.5, -0.5, 1, -1, 2, -2, 4, -4, 8, -8):
        nudged = json.loads(json.dumps(case))
        for spec in specs([nudged["args"], nudged.get("inputs", [])]):
            spec["nudge"] = times * step
        several.append(runners.answer(nudged))
    least = coarseness(case)
    for part in ("result", "out", "changed", "gradients"):
        mine, other = [*numbers(ours.get(part))], [*numbers(theirs.get(part))]
        around = [[*numbers(each.get(part))] for each in several]
        for place, (first, second) in enumerate(zip(mine, other, strict=True)):
            likely = [first, *(each[place] for each in around if len(each) == len(mine))]
            if any(each.shape != second.shape for each in likely):
                return False
            if not _is_among(second, likely, least * (5 if part == "gradients" else 1)):
                return False
    return True


def _is_among(numbers: onp.ndarray, several: list[onp.ndarray], least: float) -> bool:
    """Whether each number equals that of one array, or is as near to the first as one of them."""
    wide = numbers.astype("float64")
    first, *others = (each.astype("float64") for each in several)
    equal = [alike(each, numbers, least) for each in several]
    with onp.errstate(invalid="ignore"):
        reach = onp.fmax.reduce([onp.abs(each - first) for each in others])
        is_near = onp.abs(wide - first) <= _WITHIN * reach
    return bool((onp.any(equal, axis=0) | is_near).all())


def _refused(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.kind == "refused"


def _says(*several: str) -> Callable[[Case, Difference, Answer, Answer], bool]:
    """Return a test for calls that are refused with one of some words."""

    def test(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
        return found.kind == "refused" and any(words in found.details for words in several)

    return test


def _special_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return _in_gradient(case, found, ours, theirs) and _is_special(case)


def _always(*_: Any) -> bool:
    return True


def _out_is_ignored(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.details.startswith("out ") and not any(a.any() for a in numbers(theirs["out"]))


def _argument(case: Case, name: str) -> Any:
    return case["kwargs"].get(name)


def _in_prediction(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return _in_gradient(case, found, ours, theirs) and not case["train"]


def _fixed_gamma(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether states moved before `backward()`, or a gamma that counts as 1 became 1."""
    if found.kind == "changed":
        return True
    _, other = gaps(case, found, ours, theirs)
    fixed = _argument(case, "scale") in (False, 0)
    return fixed and found.details.startswith("out ") and bool((other == 1).all())


def _by_zero(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether a divisor may be 0 and the result is a whole number."""
    results = [*numbers(theirs.get("result"))]
    return (
        found.kind == "values"
        and _has_zeros(case)
        and all(array.dtype.kind in "iu" for array in results)
    )


def _has_zeros(case: Case) -> bool:
    """Whether a divisor may be 0, or infinite."""
    plain = any(value in (0, "0") for value in [*case["args"], *case["kwargs"].values()])
    return plain or any(
        ((values == 0) | ~onp.isfinite(values)).any()
        for values in (array_of(spec).astype("float64") for spec in _given(case))
    )


_POWERS = r"(nd|np|method|node)\.(.*([pP]ower|pow).*|__r?pow__)"


def _has_positions(case: Case, found: Difference) -> bool:
    """Whether what is written, or a new axis, depends on positions that MXNet takes otherwise."""
    arrays = list(specs(case["inputs"][1]))
    is_written = found.details.startswith("out ")
    is_mixed = "None" in str(case["inputs"][1])
    is_far = any(s["values"][1] < 0 or s["dtype"] == "bool" for s in arrays) or "-" in json.dumps(
        case["inputs"][1]
    )
    return bool(arrays) and (is_mixed or (is_written and is_far))


def _of_one_size(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether numbers differ in their sign alone."""
    mine, other = gaps(case, found, ours, theirs)
    return bool(onp.allclose(onp.abs(mine), onp.abs(other), 1e-2, 1e-3))


def _apart(case: Case, found: Difference, ours: Answer, theirs: Answer) -> onp.ndarray:
    """Return how far the numbers that differ are apart."""
    mine, other = gaps(case, found, ours, theirs)
    return onp.asarray(onp.abs(mine - other))


def _has_rows_of_labels(case: Case) -> bool:
    """Whether a metric's labels have several elements in a row."""
    names = re.findall(r"update\(\[x(\d+)", str(case["lines"]))
    return any(spec["shape"][1:] not in ([], [1]) for spec in (_given(case)[int(n)] for n in names))


def _is_quarter(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's numbers are a quarter, PReLU's first slope, of ours wherever they differ."""
    mine, other = gaps(case, found, ours, theirs)
    return mine.size > 0 and bool(onp.allclose(mine / 4, other, 1e-2, 1e-4))


KNOWN = (
    Known(
        "Arguments that mean nothing are refused",
        r"node\.(_split_v2|_npi_[hd]split)",
        _says("Expected a number that divides"),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"node\._npi_norm",
        lambda *a: (
            (_has_integers(a[0]) and a[1].kind in ("values", "dtype"))
            or (a[1].kind == "gradient values" and _is_of_matrices(a[0]))
            or (
                a[1].kind == "values"
                and _is_special(a[0])
                and a[0]["kwargs"].get("ord", "")[:1] == "-"
            )
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"node\._npi_einsum",
        lambda *a: "subscripts" not in a[0]["kwargs"] and _says("subscripts is missing")(*a),
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r".*adamw_update",
        lambda *a: '"given"' in json.dumps(a[0]["args"]),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd\.|node\._)linalg.*",
        _says("2 dimensions"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.tensordot|node\._npi_tensordot",
        _says("tuple index out of range"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(np\.pad|text\..*)",
        _says("such pairs, none below 0"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.linalg\.norm",
        _says("out of bounds for an array of shape"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"node\.(Reshape|_arange|BatchNorm)",
        _says(
            "Expected a shape of as many elements", "infer_range=True was given", "Expected moving_"
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"node\.multi_all_finite",
        _says("Expected num_arrays to be the number of arrays"),
    ),
    Known("Arguments that mean nothing are refused", r"np\.extract", _says("unequal sizes")),
    Known(
        "Output operators",
        r".*Output",
        lambda *a: _in_gradient(*a) and '"given"' in json.dumps(a[0]["args"]),
    ),
    Known(
        "`infer_shape` and `infer_type`",
        r"(text|inferred|node)\..*",
        lambda *a: _says("is no multiple of")(*a) and "infer_shape" in json.dumps(a[0]),
    ),
    Known(
        "Matrices with NaN or infinity",
        r"(nd|np)\.linalg[._](?!gemm|syrk|trmm|sumlog|make|extract|norm|multi_dot|matrix_power).*",
        lambda *a: _is_special(a[0]) and ("values" in a[1].kind or _refused(*a)),
    ),
    Known(
        "Sums in `float16`",
        r"(np|nd|npx|method)\..*(var|std|moments|[nN]orm).*",
        lambda *a: "float16" in json.dumps(a[0]) and _overflown(*a),
    ),
    Known("Sums in `float16`", r"(nd|np|npx|method|node|layer|optimizer|chain)\..*", _is_borne_out),
    Known(
        "Gradients that are added",
        r"np\.where",
        lambda *a: _in_gradient(*a) and a[0].get("grad_req") == "add",
    ),
    Known(
        "Lengths of 0 are unknown",
        r"(nd|method)\..*",
        lambda *a: a[1].kind == "shape" and any(0 in s["shape"] for s in _given(a[0])),
    ),
    Known("Positions in arrays", r"index\..*", lambda *a: _has_positions(a[0], a[1])),
    Known(
        "Arrays without axes",
        r"(nd|method)\..*(split|[sS]lice[cC]hannel).*",
        lambda *a: a[1].kind == "shape" and "MXNet ()" in a[1].details,
    ),
    Known(
        "Tests of bytes.",
        r"nd\.contrib\.is(inf|finite)",
        lambda *a: any(spec["dtype"] in ("int8", "uint8") for spec in _given(a[0])),
    ),
    Known("Casts of numbers that a dtype does not hold", r".*", _beyond),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.random\..*|node\._npi_.*",
        _says("shapes that broadcast to size"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd\.contrib\.|node\._contrib_)allclose",
        _says("Expected two arrays of one shape"),
    ),
    Known(
        "`norm` of integers",
        r"(nd|method|node)\.norm|np\.linalg\.norm",
        lambda *a: _has_integers(a[0]) and a[1].kind in ("values", "dtype"),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.linspace",
        lambda *a: (
            bool(_argument(a[0], "retstep"))
            and (not _argument(a[0], "endpoint") or _argument(a[0], "num") == 0)
        ),
    ),
    Known(
        "Undefined gradients are defined.",
        _POWERS + r"|.*([mM]od|prod|norm|arctan2|remainder|rpow|__r?mod__|fmod).*",
        _undefined,
    ),
    Known(
        "Undefined gradients are defined.",
        r"method\.__mod__",
        lambda *a: _in_gradient(*a) and '"int32", 0]' in json.dumps(a[0]["args"]),
    ),
    Known(
        "Where rounding decides",  # a weight of one number goes to 0 at once, but for its rounding
        r"optimizer\.(?i:lamb)",
        lambda *a: (
            a[0]["kwargs"].get("learning_rate") == 1.0
            and all(spec["shape"] == [1] for spec in specs(a[0]["inputs"]))
        ),
    ),
    Known(
        "Undefined gradients are defined.",
        r".*([mM]od|remainder).*",
        lambda *a: _in_gradient(*a) and _has_zeros(a[0]) and not gaps(*a)[0].any(),
    ),
    Known(
        "Gradients at NaN and infinity",
        r".*([mM]od|remainder).*",
        lambda *a: _in_gradient(*a) and _at_special(*a, zeros=True),
    ),
    Known(
        "Sums in `float16`",
        r"optimizer\..*",
        lambda *a: (
            _not_a_number(*a)
            and not onp.isfinite(gaps(*a)[0]).any()
            and any(s["dtype"] == "float16" for s in _given(a[0]))
        ),
    ),
    Known(
        "Infinities in `nansum`",
        r"np\.linalg\.norm",
        lambda *a: (
            _is_special(a[0])
            and a[1].kind == "values"
            and (_argument(a[0], "ord") == 0 or not onp.isfinite(gaps(*a)[1]).any())
        ),
    ),
    Known(
        "MXNet's mistakes are not repeated",  # which takes NumPy's 0 for no axis
        r"method\.squeeze",
        lambda *a: _argument(a[0], "inplace") is True and "number" in str(_argument(a[0], "axis")),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.unique",
        lambda *a: _has_nothing(a[0]) or _has_both_zeros(a[0]),
    ),
    Known(
        "`im2col(kernel=2)`",
        r"nd\.im2col",
        lambda *a: len(_given(a[0])[0]["shape"]) == 4 and len(_spread(a[0], "kernel")) == 1,
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"nd\..*(ftml|lamb).*update.*",
        _says("math domain error", "division by zero"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r".*MultiBoxPrior|.*multibox_prior",
        _says("ratios of width"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r".*mp_adamw_update",
        lambda *a: len({tuple(spec["shape"]) for spec in _given(a[0])[:5]}) > 1,
    ),
    Known(
        "Output operators",
        r"nd\.Softmax(Output)?",
        lambda *a: (
            not a[0]["train"]
            and len({*map(tuple, (spec["shape"] for spec in _given(a[0])))}) == 1
            and not _argument(a[0], "multi_output")
        ),
    ),
    Known(
        "Output operators",
        r"(nd|node)\.Softmax(Output)?",
        lambda *a: _in_gradient(*a) and _argument(a[0], "out_grad") in (True, 1, "True", "1"),
    ),
    Known(
        "Operators that are not known",
        r"nd\.Convolution_v1",
        lambda *a: _in_gradient(*a) and _beyond_one(a[0], "stride") and _beyond_one(a[0], "dilate"),
    ),
    Known(
        "Parameters of draws",
        r".*(poisson|negative_binomial).*",
        lambda *a: "values" in a[1].kind and any((v > 1e4).any() for v in gaps(*a)),
    ),
    Known(
        "Infinities in `nansum`",
        r".*(sum|mean|average|[nN]orm|moments|var|std|Loss).*",
        lambda *a: _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known("`unravel_index` of a matrix", r"(nd|node)\.(_internal\.)?_?unravel_index", _always),
    Known("Order of equal elements.", r".*(sort|topk|argsort)", lambda *a: _has_ties(a[0])),
    Known(
        "Gradients at NaN and infinity",
        r".*([rR]e[lL][uU]|[aA]ctivation|clip|[mM]aximum|[mM]inimum|sigmoid|GELU|ELU|softsign).*",
        lambda *a: (_in_gradient(*a) and _at_special(*a)) or _is_activated(*a),
    ),
    Known(
        "Gradients at NaN and infinity",
        r".*(Dense|Conv.D).*",
        lambda *a: _argument(a[0], "activation") is not None and _is_activated(*a),
    ),
    Known(
        "Poles of gamma",
        r".*(gamma|gammaln|digamma)",
        lambda *a: (
            _in_gradient(*a) and bool((onp.abs(gaps(*a)[1]) > 1e300).any() or _undefined(*a))
        ),
    ),
    Known("Poles of gamma", r".*(gamma|gammaln|digamma)", _either_not_a_number),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"nd\.contrib\.BatchNormWithReLU",
        _in_prediction,
    ),
    Known("Powers of minus infinity", _POWERS, lambda *a: _is_special(a[0]) and _at_special(*a)),
    Known(
        "Powers of minus infinity",
        r"program\..*",
        lambda *a: '["pow", 0.5]' in json.dumps(a[0]) and _is_special(a[0]) and _at_special(*a),
    ),
    Known(
        "Powers of minus infinity",
        r"text\.arithmetic",
        lambda *a: "** 0.5" in json.dumps(a[0]) and _is_special(a[0]) and _at_special(*a),
    ),
    Known("Densities outside of their domain", r".*pdf.*", _either_not_a_number),
    Known("Densities outside of their domain", r".*pdf.*", _undefined),
    Known(
        "More functions have gradients",
        r"(np|npx|method)\.("
        r"std|var|median|quantile|percentile|ptp|delete|insert|resize|cov|interp|select|rollaxis|pad|"
        r"atleast_.d|linalg\.(pinv|eig|eigh|eigvals|eigvalsh|cond|qr|matrix_power|tensorinv|multi_dot)|"
        r"apply_.*|nan.*|cross|kron|convolve|cumprod|triu|tri|trapz|trapezoid|corrcoef|gradient|"
        r"digitize|einsum_path|fmod|fmin|fmax|compress|extract|choose|piecewise|vander|polyval|"
        r"searchsorted|count_nonzero|diff|ediff1d|unwrap|sort|partition|place|put|trace|"
        r"random\.(permutation|shuffle|choice|multivariate_normal)|average|rot90|where)",
        _without_gradient,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.(rot90|where)|node\._npi_rot90",
        lambda *a: _in_gradient(*a) and ("where" not in a[0]["name"] or len(_given(a[0])) < 3),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.linalg\.norm",
        lambda *a: _in_gradient(*a) and _is_of_matrices(a[0]),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.arctan2",
        lambda *a: _in_gradient(*a) and len(_given(a[0])) == 1,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"node\._npi_(rarctan2_scalar|where_.scalar)",
        _in_gradient,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.average",
        lambda *a: _in_gradient(*a) and bool(_argument(a[0], "returned")),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.pad",
        lambda *a: _argument(a[0], "constant_values") is not None,
    ),
    Known(
        "`arange` of fractions to `float16`",
        r"text\.made",
        lambda *a: (
            a[1].kind == "values"
            and bool(re.search(r"arange\(.*float16", a[0]["lines"][0]))
            and not (gaps(*a)[1] % 1).any()
        ),
    ),
    Known("`out` is written", r"(nd|np|npx)\..*", _out_is_ignored),
    Known(
        "Memory that is not set",
        r".*(empty|empty_like|new_empty)",
        lambda *a: a[1].kind == "values",
    ),
    Known(
        "Memory that is not set",
        r".*SyncBatchNorm",
        lambda *a: a[1].kind == "values" and a[1].details[:2] in ("1:", "2:"),
    ),
    Known("Memory that is not set", r".*all_finite", _says("init_output=False")),
    Known(
        "Division of integers by zero",
        r".*([dD]iv(?!_sqrt)|[mM]od|remainder|reciprocal).*",
        lambda *a: _has_integers(a[0]) and _by_zero(*a),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*(SoftmaxActivation|softmax_activation)",
        lambda *a: _in_gradient(*a) and len(_given(a[0])[0]["shape"]) > 2,
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*flip_(left_right|top_bottom)|.*random_(color_jitter|contrast|saturation|brightness|hue|lighting)|.*adjust_lighting",
        _in_gradient,
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"(nd|npx)\..*([lL]eaky|[sS]?ELU).*",
        lambda *a: _in_gradient(*a) and _argument(a[0], "act_type") == "selu",
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*([pP]ooling|MaxPool.D).*",
        lambda *a: (
            _in_gradient(*a) and not a[0]["train"] and _argument(a[0], "pool_type") in (None, "max")
        ),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*([pP]ooling|AvgPool.D).*",
        lambda *a: (
            _in_gradient(*a)
            and (
                bool(_argument(a[0], "ceil_mode"))
                or _argument(a[0], "pooling_convention") == "full"
            )
        ),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*SELU",
        lambda *a: _in_gradient(*a) and bool((array_of(_given(a[0])[0]) <= 0).any()),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd|np)\.(window|hanning|hamming|blackman|.*_window)",
        _says("Expected a floating-point dtype"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r".*[hvd]?split",
        _says("does not result in an equal division"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"npx?\.random\..*",
        _says("were given with size=", "one probability for each of the", "Expected 'float16'"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd|np|npx|node)\.(.*random|.*sample|.*poisson|.*binomial).*",
        lambda *a: a[1].kind == "timeout" or _says("a mean of", "was given. Expected finite")(*a),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd|np|npx|transform|node)\.(.*color_jitter|.*ColorJitter)",
        _refused,
    ),
    Known("Arguments that mean nothing are refused", r".*histogram.*", _says("at least one range")),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.histogram",
        lambda *a: _says("two ends or more")(*a) and isinstance(_argument(a[0], "bins"), list),
    ),
    Known("Arguments that mean nothing are refused", r"node\..*multinomial", _says("n >= 0")),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.random\.choice",
        _says("were asked for with replace=False"),
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r"nd\..*adamw_update",
        lambda *a: a[1].kind == "values" and 0 in a[0]["args"],
    ),
    Known(
        "Infinities in `nansum`",
        r"nd\..*update.*",
        lambda *a: _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.(diff|trapz|interp)",
        lambda *a: (
            a[1].kind in ("shape", "values")
            and (
                (a[0]["name"] == "interp" and _descends(_given(a[0])[1]))
                or any(s["dtype"] == "bool" for s in _given(a[0]))
                or bool({"prepend", "append"} & set(a[0]["kwargs"]))
            )
        ),
    ),
    Known(
        "Shapes that depend on values",
        r"nd\..*multinomial",
        lambda *a: a[1].kind == "structure" and a[0].get("mode") == "hybrid",
    ),
    Known("Arguments that mean nothing are refused", r"nd\.LRN", _says("an odd number")),
    Known("Arguments that mean nothing are refused", r".*image\.crop", _says("a rectangle within")),
    Known(
        "Arguments that mean nothing are refused",
        r"nd\.(_internal\._)?histogram",
        lambda *a: a[1].kind == "values" and len(_given(a[0])) > 1,
    ),
    Known(
        "`norm` of integers",
        r"(nd|node)\.moments",
        lambda *a: _has_integers(a[0]) and a[1].kind == "values",
    ),
    Known(
        "`nd.mp_lamb_update_phase2`",
        r"(nd|node)\.mp_lamb_update_phase2",
        lambda *a: "changed" in a[1].kind + a[1].details or a[1].details.startswith("out "),
    ),
    Known("Arguments that mean nothing are refused", r".*index_copy", _refused),
    Known("Arguments that mean nothing are refused", r".*lamb_update_phase1", _refused),
    Known("Arguments that mean nothing are refused", r".*SDMLLoss", _says("division by zero")),
    Known(
        "Parameters of draws",
        r"(nd|np|npx)\.(?!image|.*multivariate)(.*random|.*sample|exponential|gamma|poisson|uniform|normal).*",
        lambda *a: a[1].kind == "values" and (_has_integers(a[0]) or _is_outside(a[0])),
    ),
    Known(
        "Seeds",
        r"np\.random\.(multivariate_normal|beta|gamma|chisquare|f)",
        lambda *a: a[1].kind == "values" or a[1].details.startswith("out "),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"network\..*",
        lambda *a: _in_gradient(*a) and a[0]["hybrid"] and "PReLU" in json.dumps(a[0]["layers"]),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"(nd\.LeakyReLU|npx\.leaky_relu)",
        lambda *a: _in_gradient(*a) and _below_zero(_argument(a[0], "slope")),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"network\..*",
        lambda *a: _in_prediction(*a) and "MaxPool" in json.dumps(a[0]["layers"]),
    ),
    Known(
        "Operators that are not known",
        r"nd\.Pooling_v1",
        lambda *a: "pad" in a[0]["kwargs"] and _argument(a[0], "pool_type") in (None, "max"),
    ),
    Known(
        "`LeakyReLU(act_type='rrelu')`",
        r"(nd\.LeakyReLU|npx\.leaky_relu)",
        lambda *a: _argument(a[0], "act_type") == "rrelu",
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"nd\.contrib\.BilinearResize2D",
        _says("Expected at least one pixel"),
    ),
    Known(
        "`NDArrayIter`",
        r"program\.io\.NDArrayIter",
        lambda *a: a[1].kind == "dtype" and bool(_argument(a[0], "shuffle")),
    ),
    Known(
        "`infer_shape` and `infer_type`",
        r"inferred\.Concat",
        lambda *a: not a[0]["known"] and a[1].kind == "values",
    ),
    Known(
        "Cells take `np.ndarray`",
        r"unroll\.gluon\.rnn\.BidirectionalCell",
        lambda *a: _argument(a[0], "valid_length") and _argument(a[0], "merge_outputs") is None,
    ),
    Known(
        "Drawn by NumPy's names in graphs",
        r"(nd|npx)\.image\.random_.*|node\._image_random_.*",
        lambda *a: a[0].get("mode", "symbol") == "symbol" and "values" in a[1].kind,
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r"nd\..*adamw_update",
        lambda *a: "changed" in a[1].kind or a[1].details.startswith(("changed", "out ")),
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r"nd\.(mp_)?nag_mom_update",
        lambda *a: "changed" in a[1].kind or a[1].details.startswith(("changed", "out ")),
    ),
    Known(
        "`transforms.RandomHue` of bytes",
        r"transform\.Random(Hue|ColorJitter)|.*random_(hue|color_jitter)",
        lambda *a: a[1].kind == "values" and bool((onp.abs(onp.subtract(*gaps(*a))) <= 1).all()),
    ),
    Known(
        "`transforms.RandomHue` of bytes",
        r".*random_(hue|color_jitter)",
        lambda *a: (
            a[1].kind == "values"
            and bool((array_of(_given(a[0])[0]) < 0).any())
            and bool(onp.isnan(gaps(*a)[1]).all())
        ),
    ),
    Known(
        "Numbers beside integers in graphs",
        r"np\..*|chain\.np",
        lambda *a: (
            a[1].kind == "dtype"
            and (a[0].get("mode", "eager") != "eager" or bool(a[0].get("hybrid")))
            and (_has_integers(a[0]) or a[0]["front"] == "chain")
        ),
    ),
    Known(
        "Numbers beside integers in graphs",  # which are cut to whole ones
        r"chain\.np",
        lambda *a: (
            a[1].kind == "values"
            and bool(a[0].get("hybrid"))
            and _has_integers(a[0])
            and any(isinstance(step[2], float) for step in a[0]["steps"] if len(step) > 2)
        ),
    ),
    Known("BatchNorm's moving averages", r".*([bB]atch_?[nN]orm).*", _fixed_gamma),
    Known(
        "Infinities in `nansum`",
        r".*(UpSampling|BilinearResize2D|Conv|Pool|Correlation|SVMOutput|FullyConnected|Dense|dot|gemm|einsum|matmul|pooling|convolution|ROI|roi_|gelqf|trapz|trapezoid|Sampler|Transformer|percentile|quantile).*",
        lambda *a: _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known(
        "Signs of LAPACK's vectors",
        r"initializer\.Orthogonal|.*(svd|linalg.eig|syevd|gelqf|linalg.qr).*",
        lambda *a: a[1].kind.endswith("values") and (_in_gradient(*a) or _of_one_size(*a)),
    ),
    Known(
        "Signs of LAPACK's vectors",  # and any of those that belong to one value
        r".*(syevd|eigh)",
        lambda *a: a[1].kind.endswith("values") and _has_equal_rows(a[0]),
    ),
    Known(
        "`PearsonCorrelation(average='micro').get_global()`",
        r"metric\.(pearsonr|PearsonCorrelation)",
        lambda *a: _argument(a[0], "average") == "micro" and a[1].details.startswith("1: 1: "),
    ),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"transform\.RandomFlip.*|.*flip_(left_right|top_bottom)",
        lambda *a: "values" in a[1].kind and _is_odd_picture(a[0]),
    ),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"text\.pictures",
        lambda *a: (
            "RandomFlip" in str(a[0]["lines"])
            and "values" in a[1].kind
            and any(length % 2 for length in _given(a[0])[0]["shape"][-3:-1])
        ),
    ),
    Known(
        "Drawn by NumPy's names in graphs",
        r"npx?\.random\..*",
        lambda *a: a[0].get("mode") == "symbol" and a[1].kind == "values",
    ),
    Known(
        "All layers and losses take `np.ndarray`",
        r"layer\.loss\..*",
        lambda *a: bool(a[0].get("np")) and _argument(a[0], "batch_axis") not in (None, 0),
    ),
    Known(
        "`dtype=None`",
        r"nd\..*|method\..*|np\.(hanning|hamming|blackman)",
        lambda *a: (
            (a[1].kind.startswith("graph") or "dtype" in a[1].kind)
            and a[0]["kwargs"].get("dtype", "") is None
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"nd\.(linalg.*|contrib\.AdaptiveAvgPooling2D|contrib\.MultiBoxDetection)|npx\.multibox_detection",
        _says("Expected one or two sizes", "background_id=", "Expected square matrices"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.(percentile|quantile)|nd\.Deconvolution|npx\.deconvolution",
        _says("Expected elements", "(Given input size per channel"),
    ),
    Known(
        "Sparse arrays",
        r"program\.nd\.sparse\.(divide|elemwise_div)",
        lambda *a: _given(a[0])[0].get("stype") == "csr" and _not_a_number(*a),
    ),
    Known(
        "Signs of LAPACK's vectors",
        r"(network|trained)\..*",
        lambda *a: "Orthogonal" in json.dumps(a[0]["init"]) and "values" in a[1].kind,
    ),
    Known(
        "Arrays of no elements",
        r".*[bB]atch_?[nN]orm.*",
        lambda *a: _not_a_number(*a) and 0 in _given(a[0])[0]["shape"],
    ),
    Known(
        "Gradients at NaN and infinity",
        r".*[pP]ool.*",
        lambda *a: _in_gradient(*a) and _is_special(a[0]),
    ),
    Known(
        "Gradients that are added",
        r".*linalg.*|np\.(dot|inner|tensordot|trace|cumsum)|(nd|method)\.cumsum|method\.dot|nd\.(.*RegressionOutput|amp_multicast)"
        r"|nd\.contrib\.(boolean_mask|index_copy)",
        lambda *a: _in_gradient(*a) and a[0].get("grad_req") == "add",
    ),
    Known(
        "`arange` of fractions to `float16`",
        r"nd\.(_internal\._)?arange|np\.arange|node\._(npi_)?arange",
        lambda *a: _argument(a[0], "dtype") == "float16" and a[1].kind == "values",
    ),
    Known(
        "AdaDelta",
        r"trained\.adadelta",
        lambda *a: a[0]["req"] == "add" and a[1].kind == "values",
    ),
    Known(
        "What NumPy itself computes",
        r"program\.np\.(unravel_index|histogram2d|partition|argpartition)",
        lambda *a: a[1].kind in ("dtype", "values"),
    ),
    Known(
        "Infinities in `nansum`",
        r"program\.np\.array",
        lambda *a: a[0]["steps"][0] == ["onp", ["sort", 1]] and _is_special(a[0]),
    ),
    Known(
        "NumPy's functions take arrays",
        r"program\.nd\.array",
        lambda *a: a[0]["steps"][0][0] == "onp" and "objects" in str(a[3]["result"][1]),
    ),
    Known(
        "Deconvolutions of `float64`",
        r"nd\.Deconvolution|npx\.deconvolution|layer\.nn\.Conv.DTranspose",
        lambda *a: (
            _beyond_one(a[0], "stride", "strides")
            and _beyond_one(a[0], "dilate", "dilation")
            and any(spec["dtype"] == "float64" for spec in _given(a[0]))
        ),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"np\.ldexp",
        lambda *a: _in_gradient(*a) and _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"chain\..*",
        lambda *a: _ours_not_a_number(*a) and not gaps(*a)[1].any() and _in_gradient(*a),
    ),
    Known(
        "Adamax",
        r"(optimizer|trained)\.[aA]damax",
        _not_a_number,
    ),
    Known(
        "`CTCLoss`",
        r".*(CTCLoss|ctc_loss)",
        lambda *a: _reaches(a[0]) or (_in_gradient(*a) and a[1].details.startswith("gradient 1")),
    ),
    Known(
        "Positions in arrays",
        r"(nd|npx)\.contrib\.box_encode",
        lambda *a: _matches_no_box(a[0]["args"]),
    ),
    Known(
        "Arrays of no elements",
        r"(np|method)\..*",
        lambda *a: (
            _says("with two bool tensors")(*a) and any(0 in s["shape"] for s in _given(a[0]))
        ),
    ),
    Known(
        "Arrays of no elements",
        r"np\.linalg\..*",
        lambda *a: _says("square matrices")(*a) and 0 in _given(a[0])[0]["shape"],
    ),
    Known(
        "Where rounding decides",  # how far from singular a matrix is that is singular
        r"np\.linalg\.cond",
        lambda *a: "values" in a[1].kind and all((abs(each) > 1e6).all() for each in gaps(*a)),
    ),
    Known(
        "Positions in arrays",
        r".*gather_nd",
        lambda *a: _in_gradient(*a) and any(s["values"][1] < 0 for s in _given(a[0])[1:]),
    ),
    Known(
        "Booleans and integers end a graph",
        r"chain\.np",
        _says("was not computed inside autograd.record()"),
    ),
    Known(
        "Views.",
        r"chain\..*",
        lambda *a: (
            {step[0] for step in a[0]["steps"]} & {"T", "flat", "expand", "first"} != set()
            and {step[0] for step in a[0]["steps"]} & {"iadd", "imul", "isub", "assign"} != set()
        ),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.linspace",
        lambda *a: a[1].kind == "values" and "int" in str(_argument(a[0], "dtype")),
    ),
    Known("Undefined gradients are defined.", r"chain\..*", _undefined),
    Known(
        "Undefined gradients are defined.",
        r"chain\..*",
        lambda *a: _in_gradient(*a) and _divides_by_zero(a[0], a[2]),
    ),
    Known(
        "Infinities in `nansum`",
        r".*[pP]ool.*",
        lambda *a: _is_special(a[0]) and _is_lowest(*gaps(*a)),
    ),
    Known(
        "Arrays of no elements",
        r"nd\..*",
        lambda *a: (
            _says("Expected equal shapes")(*a) and any(0 in s["shape"] for s in _given(a[0]))
        ),
    ),
    Known(
        "Arrays of no elements",
        r"np\..*",
        lambda *a: a[1].kind == "shape" and any(0 in s["shape"] for s in _given(a[0])),
    ),
    Known(
        "Positions in arrays",
        r"index\.np",
        _says("The shape of the mask", "boolean index did not match", "a mask of shape"),
    ),
    Known(
        "Positions in arrays",
        r"index\..*",
        lambda *a: (
            _in_gradient(*a)
            and bool([*specs(a[0]["inputs"][1])])
            and "-" in json.dumps(a[0]["inputs"][1])
        ),
    ),
    Known(
        "Infinities in `nansum`",
        r"layer\.rnn\..*|nd\.RNN|npx\.rnn",
        lambda *a: _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r".*(interleaved_matmul.*|split_v2)",
        _says("is invalid for input of size", "Expected a number that divides"),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"(nd|node)\.mean|method\.(mean|var|std)|np\.(mean|average|var|std)|node\._np_mean",
        lambda *a: (
            a[1].kind.endswith("values") and any(s["dtype"][-1] == "8" for s in _given(a[0]))
        ),
    ),
    Known(
        "`cosh` and `sinh` beyond 88.72",
        r".*\W_?(np_)?(cosh|sinh)",
        lambda *a: any(
            ((abs(v) > 88.7) & (abs(v) < 89.5)).any()
            for v in (array_of(s).astype("float64") for s in _given(a[0]))
        ),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"(np|method)\.(prod|product)",
        lambda *a: any(0 in s["shape"] for s in _given(a[0])),
    ),
    Known("Densities outside of their domain", r".*pdf.*", lambda *a: _is_outside(a[0])),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"np\..*",
        lambda *a: (
            a[1].kind == "values"
            and a[0]["mode"] != "eager"
            and any(s["dtype"] == "uint8" for s in _given(a[0]))
            and any(
                isinstance(v, (int, float)) and v < 0
                for v in [*a[0]["args"], *a[0]["kwargs"].values()]
            )
        ),
    ),
    Known(
        "Shapes that depend on values",
        r"npx?\.(unique|nonzero|delete|bincount)",
        lambda *a: a[0].get("mode") == "symbol" and "MXNet (0,)" in a[1].details,
    ),
    Known(
        "Shapes that depend on values",
        r"np\.(.*split|diag_indices_from)",
        lambda *a: a[1].kind == "structure" and a[0].get("mode") == "hybrid",
    ),
    Known(
        "Numbers beside integers in graphs",
        r"np\.(greater|less|equal|not_equal).*",
        lambda *a: a[0].get("mode") != "eager" and _has_integers(a[0]),
    ),
    Known(
        "Labels of other shapes.",
        r"metric\.(F1|MCC|PCC|TopKAccuracy|Perplexity|f1|mcc|pcc|top_k_accuracy|perplexity)",
        lambda *a: _odd_labels(a[0]) or _says("Expected labels below", "Shape of labels")(*a),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"(np|method)\.(prod|product)",
        lambda *a: _has_integers(a[0]) and bool(_argument(a[0], "dtype")),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.random\.lognormal",
        lambda *a: a[1].details.startswith("out "),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.linalg\.tensorsolve|node\._npi_tensorsolve",
        lambda *a: a[1].kind == "shape",
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.matmul|method\.__r?matmul__",
        lambda *a: _in_gradient(*a) and _is_broadcast(a[0]),
    ),
    Known("Gradients that MXNet computes wrongly are right", r".*to_tensor", _in_gradient),
    Known(
        "`transforms.RandomHue` of bytes",
        r"transform\.RandomColorJitter",
        lambda *a: not any(a[0]["kwargs"].values()),
    ),
    Known(
        "`transforms.RandomHue` of bytes",
        r"transform\.RandomColorJitter",
        lambda *a: bool(_argument(a[0], "hue")) and bool((_apart(*a) <= 5).all()),
    ),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r".*(adjust|random)_lighting",
        lambda *a: a[0]["args"][0]["array"]["shape"][-1] == 1,
    ),
    Known("Arguments that mean nothing are refused", r".*mp_adamw_update", _refused),
    Known(
        "Arguments that mean nothing are refused",
        r".*([bB]atch_?[nN]orm).*",
        lambda *a: _refused(*a) and any(len(s["shape"]) != 1 for s in _given(a[0])[1:]),
    ),
    Known("Pictures one pixel high or wide", r"transform\.(Rotate|RandomRotation)", _not_a_number),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"transform\.Random(Lighting|Saturation|Hue|ColorJitter)",
        lambda *a: a[0]["inputs"][0]["array"]["shape"][-1] == 1,
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.insert|node\._npi_insert_.*",
        _says("Expected a shape that broadcasts"),
    ),
    Known("Arguments that mean nothing are refused", r"npx?\..*", _says("order='F'")),
    Known("Arguments that mean nothing are refused", r"np\.[hvd]split", _says("axes or more")),
    Known("Arguments that mean nothing are refused", r"np\.random\..*", _says("a > 0")),
    Known(
        "MXNet's mistakes are not repeated",
        r"nd\.contrib\.allclose",
        lambda *a: _is_special(a[0]) and a[1].kind == "values",
    ),
    Known(
        "Infinities in `nansum`",
        r".*(softmax|Softmax|SoftmaxActivation|softmin|trmm|trsm|potr.|syrk|signum_update).*",
        lambda *a: _is_special(a[0]) and _either_not_a_number(*a),
    ),
    Known(
        "`transforms.Resize`",
        r".*image\.resize",
        lambda *a: _has_integers(a[0]) and bool((_apart(*a) <= 1).all()),
    ),
    Known(
        "Where rounding decides",  # whether a state moves by its last bit
        r"nd\..*update.*",
        lambda *a: a[1].kind == "changed" and any(s["dtype"] == "float16" for s in _given(a[0])),
    ),
    Known(
        "`MultiBoxTarget(minimum_negative_samples=2)`",
        r"(nd\.contrib\.MultiBoxTarget|npx\.multibox_target)",
        lambda *a: (
            _argument(a[0], "minimum_negative_samples") not in (None, 0, "0")
            and a[1].details.startswith("2: ")
            and not gaps(*a)[0].any()
        ),
    ),
    Known(
        "`tile` of four axes",
        r"(nd|method)\.tile",
        lambda *a: _is_tiled(*a) and a[1].kind in ("values", "gradient values"),
    ),
    Known(
        "`ftrl_update` of `float16`",
        r"nd\.ftrl_update",
        lambda *a: (
            _not_a_number(*a) and not gaps(*a)[0].any() and _given(a[0])[0]["dtype"] == "float16"
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"nd\.([rR]eshape|_internal\._reshape)",
        _says("Expected a shape of as many elements"),
    ),
    Known(
        "Arguments that mean nothing are refused",  # MXNet looks at the first element
        r".*leaky_relu|.*LeakyReLU",
        lambda *a: _refused(*a) and _has_integers(a[0]) and 0 in _given(a[0])[0]["shape"],
    ),
    Known(
        "Infinities in `nansum`",
        r"np\.unique",
        lambda *a: a[1].kind == "shape" and _has_nothing(a[0]),
    ),
    Known(
        "Operators that are not known",
        r"nd\.Pooling_v1",
        lambda *a: (
            _argument(a[0], "pooling_convention") == "full"
            and _argument(a[0], "pool_type") == "avg"
            and "values" in a[1].kind
        ),
    ),
    Known(
        "NAG with weights of storage type 'row_sparse'",
        r"(optimizer|trained)\.(nag|NAG)",
        lambda *a: (
            any(s.get("stype") == "row_sparse" for s in _given(a[0]))
            and bool((_apart(*a) <= 1e-2).all())
        ),
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r"node\.(mp_)?nag_mom_update",
        lambda *a: a[1].kind == "values" and "out" not in a[0]["kwargs"],
    ),
    Known(
        "More functions have gradients",
        r"node\._npi_pinv.*",
        _in_gradient,
    ),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"(nd|npx)\.image\.random_color_jitter",
        lambda *a: (
            a[1].kind == "values"
            and _given(a[0])[0]["shape"][-1] == 1
            and bool(_argument(a[0], "hue") or a[0]["args"][4:])
        ),
    ),
    Known(
        "Gradients that are added",
        r"np\.broadcast_arrays",
        lambda *a: _in_gradient(*a) and '"given"' in json.dumps(a[0]["args"]),
    ),
    Known(
        "Where rounding decides",  # a power of a negative base, by an exponent near a whole one
        r"np\.logspace",
        lambda *a: _either_not_a_number(*a) and _below_zero(_argument(a[0], "base")),
    ),
    Known(
        "Where rounding decides",  # the same: x ** 1e-9 / x is x ** -1 in float32
        r"(nd\._internal\.|node\.)_(npi_)?power_scalar",
        lambda *a: (
            _in_gradient(*a)
            and _ours_not_a_number(*a)
            and abs(float(_argument(a[0], "scalar") or 1)) < 1e-7
        ),
    ),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"(nd\._internal\.|node\.)_(npi_)?r?power_scalar",
        lambda *a: (
            "values" in a[1].kind
            and '"uint8"' in json.dumps(a[0]["args"])
            and float(_argument(a[0], "scalar") or 1) < 0
        ),
    ),
    Known(
        "Where rounding decides",
        r".*[iI]nstance_?[nN]orm.*",
        lambda *a: _is_special(a[0]) and _rounding_decides(*a),
    ),
    Known(
        "Undefined gradients are defined.",  # of equal numbers, without an epsilon
        r".*[bB]atch_?[nN]orm.*",
        lambda *a: (
            _not_a_number(*a)
            and any(_argument(a[0], name) in (0, "0", "0.0") for name in ("eps", "epsilon"))
        ),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"(nd|np|method|node)\.(min|max|amin|amax)",
        lambda *a: _in_gradient(*a) and _at_special(*a),
    ),
    Known(
        "Gradients that are added",
        r"(nd|node)\..*boolean_mask",
        lambda *a: _in_gradient(*a) and '"given"' in json.dumps(a[0]["args"]),
    ),
    Known(
        "Arrays of no elements",
        r"node\._npi_svd",
        lambda *a: a[1].kind == "dtype" and 0 in _given(a[0])[0]["shape"],
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\.odd_layers",
        lambda *a: (
            a[1].kind == "values"
            and not a[1].details.startswith("0: ")  # what the net returns
            and "PReLU" in str(a[0]["lines"])
            and "hybridize" in str(a[0]["lines"])
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"text\.odd_layers",
        _says("channels along axis 0, not"),
    ),
    Known(
        "Where rounding decides",
        r".*[nN]orm.*|network\..*",
        lambda *a: (
            _in_gradient(*a)
            and _is_noise(*a)
            and (a[0]["front"] != "network" or "Norm" in json.dumps(a[0]["layers"]))
        ),
    ),
    Known(
        "Gradients at NaN and infinity",
        r".*rsqrt",
        lambda *a: _in_gradient(*a) and _of_one_size(*a) and bool(onp.isinf(gaps(*a)[0]).all()),
    ),
    Known(
        "More functions have gradients",
        r"text\.(slopes|blocks|written_gradients)",
        lambda *a: a[1].kind == "values" and bool(re.search(r"np\.(var|std)", str(a[0]["lines"]))),
    ),
    Known(
        "Where rounding decides",
        r"text\.(symbols|exported)",
        lambda *a: "Norm" in str(a[0]["lines"]) and a[1].kind == "values" and _is_noise(*a),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\.blocks",
        lambda *a: (
            a[1].details.startswith("3: ")
            and "net.hybridize()" in a[0]["lines"]
            and not gaps(*a)[1].any()
        ),
    ),
    Known(
        "An Executor without gradients",
        r"text\.symbols",
        lambda *a: (
            a[1].kind == "values"
            and "Dropout" in str(a[0]["lines"])
            and "grad_req='null'" in str(a[0]["lines"])
        ),
    ),
    Known(
        "`norm` of integers",
        r"text\.methods",
        lambda *a: _has_integers(a[0]) and "norm" in a[0]["lines"][0] and a[1].kind == "values",
    ),
    Known(
        "Undefined gradients are defined.",
        r"text\.slopes",
        lambda *a: _not_a_number(*a) and not gaps(*a)[0].any() and "norm" in str(a[0]["lines"]),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"text\.(slopes|blocks)",
        lambda *a: not a[1].details.startswith("0: ") and _either_not_a_number(*a),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"text\.steps",
        lambda *a: (
            _is_in_last_line(a[1], a[0])
            and _either_not_a_number(*a)
            and bool(re.search("relu|clip|maximum|minimum", str(a[0]["lines"])))
        ),
    ),
    Known(
        "`'1bit'` compression",
        r"text\.stores",
        lambda *a: (
            a[1].kind == "values"
            and "set_gradient_compression" in str(a[0]["lines"])
            and "row_sparse" in str(a[0]["lines"])
        ),
    ),
    Known(
        "Infinities in `nansum`",
        r"text\.(slopes|blocks)",
        lambda *a: (
            _either_not_a_number(*a)
            and bool(re.search("sum|mean|norm|softmax", str(a[0]["lines"])))
        ),
    ),
    Known(
        "Where rounding decides",  # the sign of a mean of what was normalized
        r"text\.symbols",
        lambda *a: (
            a[1].kind == "values" and "Norm" in str(a[0]["lines"]) and "s > 0" in str(a[0]["lines"])
        ),
    ),
    Known(
        "Gradients at NaN and infinity",
        r"np\.average",
        lambda *a: _in_gradient(*a) and not any(onp.isfinite(each).any() for each in gaps(*a)),
    ),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"(nd|npx)\.image\.random_color_jitter",
        lambda *a: _has_integers(a[0]) and bool((onp.abs(gaps(*a)[1]) == 2.0**31).all()),
    ),
    Known(
        "Where rounding decides",
        r".*[bB]atch_?[nN]orm",
        lambda *a: (
            a[1].kind == "values"
            and _is_special(a[0])
            and _given(a[0])[0]["shape"][0] == 1
            and bool((_apart(*a) < 0.1).all())
        ),
    ),
    Known(
        "Where rounding decides",  # of one element for each channel of an example
        r".*[iI]nstance_?[nN]orm",
        lambda *a: (
            a[1].kind == "values"
            and _is_special(a[0])
            and onp.prod(_given(a[0])[0]["shape"][2:]) == 1
            and bool((_apart(*a) < 0.1).all())
        ),
    ),
    Known("Arguments that mean nothing are refused", r"np\.rot90", _says("is out of bounds")),
    Known(
        "Numbers beyond `float16`",
        r"(nd|np|method|node|text|chain)\..*",
        lambda *a: (
            "float16" in json.dumps(a[0])
            and _is_beyond_float16(a[0])
            and not onp.isfinite(gaps(*a)[1]).any()
        ),
    ),
    Known(
        "What is read while it is written",
        r"text\.write",
        lambda *a: bool(re.match(r"(x0\[.*\]) [-+*]= \1\[0:1\]$", a[0]["lines"][0])),
    ),
    Known(
        "Infinities in `nansum`",
        r"chain\..*",
        lambda *a: (
            _either_not_a_number(*a) and any(step[0] in ("sum", "mean") for step in a[0]["steps"])
        ),
    ),
    Known(
        "Gradients that are added",
        r"text\.(slopes|blocks)",
        lambda *a: (
            "'add'" in str(a[0]["lines"])
            and bool(re.search("cumsum|trace|mean", str(a[0]["lines"])))
        ),
    ),
    Known(
        "`adamw_update` and `nag_mom_update`",
        r"nd\..*adamw_update",
        lambda *a: (
            a[1].kind == "values"
            and isinstance(a[0]["args"][-1], dict)
            and not array_of(_given(a[0])[-1]).reshape(-1)[0]
        ),
    ),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"(np|method)\.(var|std|mean)",
        lambda *a: _is_special(a[0]) and "int" in str(_argument(a[0], "dtype")),
    ),
    Known(
        "Where rounding decides",  # what an array divided by itself has for a gradient
        r"(nd|np|method)\..*[dD]iv.*",
        lambda *a: _in_gradient(*a) and '"given"' in json.dumps(a[0]["args"]) and _is_noise(*a),
    ),
    Known(
        "Drawn by NumPy's names in graphs",
        r"node\._npi_(powerd|exponential|gamma|weibull|pareto|rayleigh|gumbel|logistic|normal.*|uniform.*|choice|multinomial)",
        lambda *a: a[1].kind == "values",
    ),
    Known(
        "Lists, numbers and NumPy arrays",  # which keep their dtype
        r"text\.arithmetic",
        lambda *a: (
            a[1].kind == "dtype"
            and "//" in str(a[0]["lines"])
            and "onp.array" in str(a[0]["lines"])
        ),
    ),
    Known(
        "Overlapping writes",
        r"text\.shared",
        lambda *a: bool(re.search(r"(\w+)\[[^]]*\] = \1\[", str(a[0]["lines"]))),
    ),
    Known("Arguments that mean nothing are refused", r"np\.histogram", _says("Sort it with")),
    Known(
        "`ParameterDict.get_constant`",
        r"text\.parameters",
        lambda *a: str(a[0]["lines"]).count("get_constant('k', [[") > 1,
    ),
    Known(
        "Where rounding decides",
        r"text\.module",
        lambda *a: a[1].kind == "values" and "adam" in str(a[0]["lines"]) and _is_next_to(*a),
    ),
    Known(
        "Remainders of `int64`",
        r"text\.arithmetic",
        lambda *a: (
            bool(re.search(r"%=? *(float|onp)", str(a[0]["lines"])))
            and any(spec["dtype"] == "int64" for spec in _given(a[0]))
        ),
    ),
    Known(
        "`norm` of integers",
        r"text\..*",
        lambda *a: (
            "np.linalg.norm" in str(a[0]["lines"]) and (a[1].kind == "dtype" or _has_integers(a[0]))
        ),
    ),
    Known("Positions in arrays", r"text\.(read|write)", lambda *a: _is_odd_place(a[0])),
    Known("Masks of NumPy in `nd`", r"text\.(read|write)", lambda *a: _is_masked(a[0])),
    Known(
        "`infer_shape` and `infer_type`",
        r"node\..*",
        lambda *a: a[1].details == "1: ('parts', 'list'), MXNet ('scalar', 'NoneType')",
    ),
    Known(
        "More functions have gradients",
        r"node\._npi?_(atleast_.d|std|var|eigh?|eigvalsh?|pinv|percentile|delete|diff|insert.*)",
        _without_gradient,
    ),
    Known(
        "Shapes that depend on values",
        r"node\._np(i_unique|x_nonzero|i_delete|i_bincount)",
        lambda *a: "MXNet (0,)" in a[1].details or "is out of bounds" in a[1].details,
    ),
    Known(
        "`infer_shape` and `infer_type`",
        r"np\.[hd]stack",
        lambda *a: a[1].details == "graph 0: ('parts', 'list'), MXNet ('scalar', 'NoneType')",
    ),
    Known(
        "Infinities in `nansum`",
        r"np\.(quantile|percentile)",
        lambda *a: a[1].kind == "values" and _has_nothing(a[0]),
    ),
    Known(
        "Booleans and integers end a graph",
        r"text\.steps",
        lambda *a: (
            a[0]["np"]
            and _says("was not computed inside autograd.record()", "integers have no gradient")(*a)
        ),
    ),
    Known("Views.", r"text\.steps", lambda *a: a[1].kind == "values" and _writes_to_views(a[0])),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\.exported",
        lambda *a: _is_after(a[1], "z = other(x0)", a[0]) and "SELU" in str(a[0]["lines"]),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\..*",
        lambda *a: (
            "nn.PReLU(" in str(a[0]["lines"])
            and "hybridize()" in str(a[0]["lines"])
            and _is_quarter(*a)
        ),
    ),
    Known(
        "Adamax",
        r"text\.trainers",
        lambda *a: (  # a weight that is NaN changes the others' gradients
            "adamax" in str(a[0])
            and any(onp.isnan(each).any() for each in numbers(a[3].get("result")))
        ),
    ),
    Known(
        "AdaDelta",
        r"text\.trainers",
        lambda *a: "adadelta" in str(a[0]["lines"]) and "grad_req = 'add'" in str(a[0]["lines"]),
    ),
    Known(
        "Labels of other shapes.",
        r"text\.measures",
        _says("labels of 0 or more", "Shape of labels", "Expected labels below"),
    ),
    Known(
        "`infer_shape` and `infer_type`",
        r"text\.asked",
        lambda *a: "infer_shape" in _line_of(a[1], a[0]) and "found.append" in _line_of(a[1], a[0]),
    ),
    Known("Where rounding decides", r"(network|chain|layer|trained|text)\..*", _rounding_decides),
    Known(
        "Where rounding decides",
        r"layer\..*Norm",
        lambda *a: a[0].get("cast") == "float16" and _in_gradient(*a) and _is_rounding(*a),
    ),
    Known(
        "Where rounding decides",  # one normalization after another
        r"text\.exported",
        lambda *a: (
            a[1].kind == "values"
            and len(re.findall("[Nn]orm", str(a[0]["lines"]))) > 1
            and _is_within(1e-4, 0, a)
        ),
    ),
    Known(
        "Where rounding decides",  # whole numbers of more digits than `float64` has
        r"(nd|np|method)\.\w+",
        lambda *a: a[1].kind == "values" and _has_integers(a[0]) and _is_within(0, 3e-16, a),
    ),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"chain\..*",
        lambda *a: _has_integers(a[0]) and bool({"log", "truediv"} & {s[0] for s in a[0]["steps"]}),
    ),
    Known(
        "`repeat(0, axis=1)`",
        r"(nd|np|method|node)\.repeat",
        lambda *a: _argument(a[0], "repeats") in (0, "0") and _argument(a[0], "axis") is not None,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"node\._npi_average",
        lambda *a: _in_gradient(*a) and not any(spec["shape"] for spec in specs(a[0]["inputs"])),
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"node\._npi_ediff1d",
        lambda *a: _argument(a[0], "to_end_arr_given") in ("True", "1"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"np\.tensordot|text\.\w+",
        _says("were given: tuple index out of range"),
    ),
    Known(
        "Where rounding decides",
        r"text\.(steps|exported|slopes)",
        lambda *a: bool(re.search("[Nn]orm|softmax", str(a[0]["lines"]))) and _is_noise(*a),
    ),
    Known(
        "Where rounding decides",
        r"optimizer\..*|(nd|node)\..*update.*",
        lambda *a: "float16" in json.dumps(a[0]) and _rounding_decides(*a),
    ),
    Known(
        "Where rounding decides",  # a weight is the quotient of two numbers that nearly cancel
        r"(optimizer|trained)\.(FTML|ftml)",
        lambda *a: "float16" in json.dumps(a[0]) and "values" in a[1].kind,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"text\.(steps|exported)",
        lambda *a: "rot90" in str(a[0]["lines"]) and _is_gradient(a[1], a[0]),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\.odd_layers",
        lambda *a: (
            a[1].kind == "values" and "SELU" in str(a[0]["lines"]) and _is_gradient(a[1], a[0])
        ),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"nd\.LRN",
        lambda *a: _in_gradient(*a) and _given(a[0])[0]["shape"][1:2] == [1],
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r"text\.odd_layers",
        lambda *a: (
            "MaxPool" in str(a[0]["lines"])
            and "train_mode=False" in str(a[0]["lines"])
            and _is_gradient(a[1], a[0])
        ),
    ),
    Known(
        "Where rounding decides",  # what cancels, divided by the root of an epsilon
        r"text\.odd_layers",
        lambda *a: "Norm" in str(a[0]["lines"]) and a[1].kind == "values" and _is_next_to(*a),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"text\.odd_layers",
        _says("Expected one number per channel"),
    ),
    Known(
        "All layers and losses take `np.ndarray`",
        r"text\.odd_losses",
        lambda *a: a[0]["np"] and "batch_axis=1" in a[0]["lines"][0],
    ),
    Known(
        "Labels of other shapes.",
        r"text\.odd_metrics",
        _says(
            "Shape of labels",
            "Expected (labels, classes)",
            "Expected one shape",
            "Expected labels below",
        ),
    ),
    Known(
        "Labels of other shapes.",
        r"text\.(odd_metrics|measures)",
        lambda *a: (
            bool(re.search(r"metric\.(F1|MCC)\(", a[0]["lines"][0]))
            and any(spec["shape"][1:] == [1] for spec in _given(a[0]))
        ),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",  # the second ones
        r"text\.orders",
        lambda *a: (
            a[1].kind == "values" and bool(re.search("arcsinh|arccosh|clip", str(a[0]["lines"])))
        ),
    ),
    Known(
        "What is read while it is written",
        r"text\.outs",
        lambda *a: (
            a[1].kind == "values"
            and any(re.search(r"(flip|transpose)\(.*out=o", line) for line in a[0]["lines"])
        ),
    ),
    Known(
        "What is read while it is written",
        r"text\.shared",
        lambda *a: (
            a[0]["np"]
            and a[1].kind == "values"
            and bool(re.search(r"y\d = \w+\[", str(a[0]["lines"])))
        ),
    ),
    Known("Views.", r"text\.(outs|shared)", lambda *a: a[1].kind == "values" and _has_views(a[0])),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"text\.types",
        lambda *a: (
            _has_integers(a[0])
            and bool(re.search("1e10|300", str(a[0]["lines"])))
            and a[1].kind in ("values", "dtype")
        ),
    ),
    Known(
        "`attach_grad('null')`",
        r"text\.written_gradients",
        lambda *a: (
            "'null'" in str(a[0]["lines"][:2]) and "MXNet ('scalar', 'NoneType'" in a[1].details
        ),
    ),
    Known(
        "`attach_grad('null')`",
        r"text\.written_gradients",
        lambda *a: (
            "'null'" in str(a[0]["lines"][:2])
            and "backward([" in str(a[0]["lines"])
            and _says("was not computed inside autograd.record()")(*a)
        ),
    ),
    Known(
        "Booleans and integers end a graph",
        r"text\.written_gradients",
        lambda *a: (
            a[0]["np"]
            and _says("was not computed inside autograd.record()", "integers have no gradient")(*a)
        ),
    ),
    Known(
        "More functions have gradients",
        r"text\.(written_gradients|steps)",
        lambda *a: (
            _is_in_last_line(a[1], a[0])
            and bool(re.search(r"np\.(var|std|atleast_)", str(a[0]["lines"])))
        ),
    ),
    Known(
        "`NDArrayIter`",
        r"text\.iterators",
        lambda *a: "shuffle=True" in str(a[0]["lines"]) and "int32, MXNet float32" in _spoken(a[1]),
    ),
    Known(
        "The gradient of a bias",
        r"text\.reshaped",
        lambda *a: (
            a[1].kind == "values"
            and "fixed_param_names=['fc_weight']" in str(a[0]["lines"]).replace('"', "")
        ),
    ),
    Known(
        "A recurrent layer without states",
        r"text\.states",
        lambda *a: (
            "hybridize" in str(a[0]["lines"])
            and "('array', 'default'), MXNet ('parts'" in a[1].details
        ),
    ),
    Known(
        "`infer_shape` and `infer_type`",
        r"text\.graphs",
        lambda *a: "infer_shape" in str(a[0]["lines"]) and a[1].details.startswith("3: "),
    ),
    Known(
        "Gradients that are added",
        r"text\.graphs",
        lambda *a: a[1].kind == "values" and "'add'" in str(a[0]["lines"]),
    ),
    Known(
        "Pictures one pixel high or wide",
        r"text\.pictures",
        lambda *a: "Rotate" in str(a[0]["lines"]) and _not_a_number(*a),
    ),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"text\.pictures",
        lambda *a: (
            a[1].kind == "values"
            and a[0]["inputs"][0]["array"]["shape"][-1] == 1
            and bool(re.search(r"Random(Lighting|Saturation|Hue|ColorJitter)", str(a[0]["lines"])))
        ),
    ),
    Known(
        "Labels of other shapes.",
        r"text\.(measures|odd_metrics)",
        lambda *a: "metric.PCC" in a[0]["lines"][0] and _has_rows_of_labels(a[0]),
    ),
    Known(
        "Gradients that are added",
        r"text\.written_gradients",
        lambda *a: (
            "'add'" in str(a[0]["lines"][:2])
            and "retain_graph" in str(a[0]["lines"])
            and _is_in_last_line(a[1], a[0])
        ),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"text\.(written_gradients|shared)",
        _says("such pairs, none below 0"),
    ),
    Known(
        "An output that is given twice",
        r"text\.graphs",
        lambda *a: (
            a[1].kind == "values"
            and bool(re.search(r"sym\.Group\(\[(\w+), \1\]", str(a[0]["lines"])))
        ),
    ),
    Known(
        "Views.",
        r"text\.helpers",
        lambda *a: (
            a[1].kind == "values" and "clip_global_norm" in str(a[0]["lines"]) and _has_views(a[0])
        ),
    ),
    Known(
        "Where rounding decides",  # an array divided by itself: 1 / x - x / x ** 2
        r"(nd|np|method)\..*[dD]iv.*",
        lambda *a: (
            _in_gradient(*a) and '"given"' in json.dumps(a[0]["args"]) and _is_rounded_quotient(*a)
        ),
    ),
)


def _is_rounded_quotient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether gradients differ by what rounding makes of the reciprocals."""
    values = onp.abs(array_of(_given(case)[0]).astype("float64"))
    largest = (1 / values[values > 0]).max(initial=1)
    return bool((_apart(case, found, ours, theirs) <= 2 * coarseness(case) * largest).all())


def _is_in_last_line(found: Difference, case: Case) -> bool:
    """Whether what differs is among what the last line of a program finds: gradients."""
    place = re.match(r"(\d+): ", found.details)
    count = case["lines"][-1].count(",") + 1
    before = sum(line.count("found.append(") for line in case["lines"][:-1])
    return found.kind == "values" and place is not None and int(place[1]) >= before + count - 3


def _spoken(found: Difference) -> str:
    """Return how dtypes differ, whether these are arrays' or names that were asked for."""
    return re.sub(r"\('scalar', 'str', '(\w+)'\)", r"\1", found.details)


def _is_gradient(found: Difference, case: Case) -> bool:
    """Whether what differs comes after the result of a program that finds the result first."""
    return not found.details.startswith("0: ")


def _is_next_to(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether numbers differ by little, beside the others or beside 1."""
    mine, other = gaps(case, found, ours, theirs)
    return bool(mine.size and (onp.abs(mine - other) < 2e-3 * onp.maximum(1, onp.abs(other))).all())


def _has_views(case: Case) -> bool:
    """Whether a program makes what is a view here and a copy in MXNet."""
    return bool(re.search(_VIEWS + r"|detach", str(case["lines"])))


def _line_of(found: Difference, case: Case) -> str:
    """Return the line of a program that found what differs, where each line finds one thing."""
    finders = [line for line in case["lines"] if line.startswith("found.append(")]
    place = re.match(r"(\d+): ", found.details)
    return finders[int(place[1])] if place and int(place[1]) < len(finders) else ""


def _is_after(found: Difference, text: str, case: Case) -> bool:
    """Whether what differs, alone, was computed after a line of a program."""
    count = str(case["lines"][: [text in line for line in case["lines"]].index(True)]).count(
        "found"
    )
    place = re.match(r"(\d+): ", found.details)
    return found.kind == "values" and place is not None and int(place[1]) >= count


_VIEWS = (
    r"\.T\b|reshape|expand_dims|squeeze|flatten|ravel|swapaxes|moveaxis|transpose|split|slice|atleast"
    r"|\[None\]|\[:, |\[\.\.\."
)
_CHANGES = r"\] [-+*/]*= |v [-+*/]+= |\[:\] = |w [-+]= "


def _writes_to_views(case: Case) -> bool:
    """Whether a program changes an array after it has made a view of another one."""
    lines = case["lines"]
    views = [place for place, line in enumerate(lines) if re.search(_VIEWS, line)]
    changes = [place for place, line in enumerate(lines) if re.search(_CHANGES, line)]
    return bool(views and changes and min(views) <= max(changes))


def _is_odd_place(case: Case) -> bool:
    """Whether arrays in an index stand beside new axes, or are written to beside what is negative.

    Also masks beside others, and NumPy's arrays without axes.
    """
    key = re.findall(r"x0\[(.*?)\](?: [-+*]?= |\)$)", case["lines"][0])
    if not key or "[" not in key[0]:
        return False
    is_written = case["name"] == "write"
    return "None" in key[0] or (is_written and ("-" in key[0] or "e]" in key[0]))


def _is_beyond_float16(case: Case) -> bool:
    """Whether a number among the arguments is above the largest one of float16."""
    plain = [case["args"], case["kwargs"], case.get("steps", []), case.get("lines", [])]
    texts = re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?", json.dumps(_without_arrays(plain)))
    return any(65504 < abs(float(text)) < onp.inf for text in texts)


def _without_arrays(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_arrays(v) for k, v in value.items() if k != "array"}
    return [_without_arrays(v) for v in value] if isinstance(value, list) else value


def _is_masked(case: Case) -> bool:
    """Whether an index is a list, or an array of NumPy, of booleans."""
    return bool(
        re.search(r"(?<!np\.array\()\[(True|False)|onp\.array\(\[(True|False)", case["lines"][0])
    )


def _overflown(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's numbers are not finite, and ours are, wherever they differ."""
    mine, other = gaps(case, found, ours, theirs)
    return bool(mine.size and onp.isfinite(mine).all() and not onp.isfinite(other).any())


def _is_rounding(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether numbers of float16 differ by few of its last digits of a number next to 10."""
    return bool((_apart(case, found, ours, theirs) < 2e-2).all())


def _is_within(
    absolute: float, relative: float, answers: tuple[Case, Difference, Answer, Answer]
) -> bool:
    """Whether what differs does so by no more than that."""
    mine, other = gaps(*answers)
    return mine.size > 0 and bool(
        (onp.abs(mine - other) <= absolute + relative * onp.abs(other)).all()
    )


def _is_noise(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether both are next to 0: rounding, divided by the root of an epsilon."""
    layers = len(case.get("layers", ())) or str(case.get("lines")).count("net.add(")
    limit = 5e-3 if "float16" in json.dumps(case) else 5e-4 * max(1, layers)
    return all((onp.abs(values) < limit).all() for values in gaps(case, found, ours, theirs))


def _spread(case: Case, name: str) -> list[Any]:
    """Return a keyword's sizes as a list."""
    value = _argument(case, name)
    value = value.get("tuple", [value]) if isinstance(value, dict) else value
    return value if isinstance(value, list) else [value]


def _at_special(
    case: Case, found: Difference, ours: Answer, theirs: Answer, *, zeros: bool = False
) -> bool:
    """Whether an argument is not finite, or 0, wherever results, or gradients, differ."""
    places = [array_of(spec).astype("float64") for spec in _given(case)]
    least = coarseness(case) * (5 if found.kind.startswith("gradient") else 1)
    mine, other = ([*numbers(_part(answer, found))] for answer in (ours, theirs))
    if [each.shape for each in mine] != [each.shape for each in other]:
        return False
    for first, second in zip(mine, other, strict=True):
        special = onp.zeros(first.shape, bool)
        for values in places:
            marked = ~onp.isfinite(values) | ((values == 0) & zeros)
            try:
                marked = onp.broadcast_arrays(marked, special)[0]
            except ValueError:
                continue
            special |= _summed(marked, first.shape)
        if not (alike(first, second, least) | special).all():
            return False
    return True


def _summed(marked: onp.ndarray, shape: tuple[int, ...]) -> onp.ndarray:
    """Return where the sum along axes that were broadcast has a part that is marked."""
    marked = onp.asarray(marked.any(axis=tuple(range(marked.ndim - len(shape)))))
    along = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return onp.asarray(marked.any(axis=along, keepdims=True))


def _is_activated(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether one is NaN, where the other one is what its activation makes of NaN."""
    return _is_special(case) and _either_not_a_number(case, found, ours, theirs)


def _is_of_matrices(case: Case) -> bool:
    """Whether a norm is that of two axes."""
    axis = _argument(case, "axis")
    if isinstance(axis, str):  # as graphs have it
        return axis == "None" or "," in axis.strip("()[], ")
    return axis is None or (isinstance(axis, dict) and len(axis["tuple"]) == 2)


def _is_tiled(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether four axes or more are repeated, and ours is what NumPy makes of it."""
    reps = [*case["args"][1:], _argument(case, "reps")][0]
    wide = runners.Arguments({"args": [reps]}, is_np=False).positions[0]
    if isinstance(wide, int) or len([each for each in wide if int(each) > 1]) < 4:
        return False
    expected = onp.tile(array_of(_given(case)[0]), tuple(map(int, wide)))
    return bool(alike(next(numbers(ours["result"])), expected).all())


def _has_equal_rows(case: Case) -> bool:
    """Whether a matrix has equal rows, and so several vectors for the value 0."""
    found = (array_of(spec) for spec in _given(case))
    return any(
        len(onp.unique(matrix, axis=0)) < len(matrix) - 1
        for values in found
        if values.ndim > 1
        for matrix in values.reshape(-1, *values.shape[-2:])
    )


def _has_both_zeros(case: Case) -> bool:
    """Whether an array has 0 and -0."""
    zeros = [v[v == 0] for v in (array_of(spec).reshape(-1) for spec in _given(case))]
    return any(len(set(onp.signbit(values))) == 2 for values in zeros)


def _has_nothing(case: Case) -> bool:
    """Whether an array has elements that are no number."""
    return any(onp.isnan(array_of(s).astype("float64")).any() for s in _given(case))


def _reaches(case: Case) -> bool:
    """Whether labels do not fit into a sequence: their repeats need steps between them."""
    data, label, *lengths = _given(case)
    values = array_of(label)
    values = values.T if case["kwargs"].get("label_layout") == "TN" else values
    steps = data["shape"][0 if case["front"] != "layer" or "TNC" in str(case["kwargs"]) else 1]
    if lengths:
        steps = min(steps, *(int(array_of(each).min()) for each in lengths[:1]))
    is_empty = (values < 0) | ((values == 0) & (case["kwargs"].get("blank_label") != "last"))
    repeats = (values[:, 1:] == values[:, :-1]).sum(1) if values.shape[1] > 1 else 0
    return bool(is_empty.any() or onp.any(values.shape[1] + repeats > steps))


def _has_ties(case: Case) -> bool:
    """Whether a long array has equal elements, or NaN, which has no place in an order."""
    for spec in _given(case):
        values = array_of(spec).astype("float64").reshape(-1)
        is_tied = values.size > 16 and len(onp.unique(values)) < values.size
        if is_tied or onp.isnan(values).any():
            return True
    return False


def _is_odd_picture(case: Case) -> bool:
    """Whether a picture that is mirrored has a line in its middle."""
    height, width = _given(case)[0]["shape"][-3:-1]
    is_sideways = case["name"].lower().replace("_", "").endswith("leftright")
    return bool((width if is_sideways else height) % 2)


def _odd_labels(case: Case) -> bool:
    """Whether labels have more axes than one, in any batch."""
    return any(len(label["array"]["shape"]) != 1 for label, _ in case["inputs"])


def _is_broadcast(case: Case) -> bool:
    shapes = [tuple(spec["shape"][:-2]) for spec in _given(case)]
    return len(set(shapes)) > 1


def _divides_by_zero(case: Case, ours: Answer) -> bool:
    """Whether a chain takes the rest of a division by 0."""
    inputs = [array_of(spec).astype("float64") for spec in _given(case)]
    values: list[Any] = [*inputs, *numbers(ours.get("result"))]
    for name, place, *rest in case["steps"]:
        if name == "mod":
            other, is_reflected = rest
            other = values[other["at"] % len(values)] if isinstance(other, dict) else other
            divisor = values[place % len(values)] if is_reflected else other
            if (onp.asarray(divisor) == 0).any():
                return True
    return False


def _is_lowest(ours: onp.ndarray, theirs: onp.ndarray) -> bool:
    """Whether one is no number, or MXNet's the least that there is, wherever two differ."""
    nothing = onp.isnan(ours) | onp.isnan(theirs)
    return bool((nothing | (theirs <= -65504)).all())


def _descends(spec: dict[str, Any]) -> bool:
    """Whether numbers do not ascend."""
    return bool((onp.diff(array_of(spec)) <= 0).any())


def _beyond_one(case: Case, *names: str) -> bool:
    """Whether a keyword's numbers are above 1."""
    found = json.dumps([case["kwargs"].get(name) for name in names])
    return any(
        int(number) > 1 for number in re.findall(r"\b\d+\b", re.sub("int64|int32", "", found))
    )


def _below_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value < 0


_BOUNDED = ("low", "high", "loc", "mean", "mu", "size", "dtype", "ctx", "is_log", "data")


def _is_outside(case: Case) -> bool:
    """Whether a parameter of a draw that must be above 0 is not, or is no finite number."""
    signature = named(case["front"], case["name"]).op.signature.parameters
    several = {**dict(zip(signature, case["args"], strict=False)), **case["kwargs"]}
    for name, value in several.items():
        is_array = isinstance(value, dict) and "array" in value
        if not is_array and (name == "shape" and case["front"] == "nd"):
            continue
        if not is_array and not isinstance(value, (int, float)):
            continue
        numbers = array_of(value["array"]) if is_array else onp.asarray(value)
        is_data = name == "data" and re.search("pdf|multinomial", case["name"]) is not None
        free = name in _BOUNDED and not is_data
        is_sample = name == "sample" and "normal" not in case["name"]
        is_sample = is_sample or "multinomial" in case["name"]
        limit = 1 if name in ("p", "prob") else onp.inf
        wide = numbers.astype("float64")
        below = wide < 0 if is_sample else wide <= 0
        if not onp.isfinite(wide).all() or (not free and (below | (wide > limit)).any()):
            return True
    return False
