"""Differences that docs/differences.md argues: where it does, and how each is recognized."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fuzz.differential.comparing import Answer, Difference

Case = dict[str, Any]


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


def argued(case: Case, found: Difference, ours: Answer, theirs: Answer) -> str:
    """Return the heading that argues a difference, empty if none does."""
    name = f"{case['front']}.{case['name']}"
    for known in KNOWN:
        if re.fullmatch(known.names, name) and known.test(case, found, ours, theirs):
            return known.heading
    return ""


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


def _is_special(case: Case, *_: Any) -> bool:
    """Whether an array has infinities or NaN."""
    return any(
        spec["values"][0] == "special"
        for spec in specs([case["args"], case["kwargs"], case.get("inputs", [])])
    )


def _is_long(case: Case) -> bool:
    """Whether an array has more than 16 elements."""
    return any(onp.prod(spec["shape"]) > 16 for spec in specs([case["args"], case["kwargs"]]))


def _in_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.kind.startswith("gradient")


def _without_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet has no gradient at all."""
    gradients = theirs.get("gradients")
    if not _in_gradient(case, found, ours, theirs) or not isinstance(gradients, list):
        return False
    return not any(array.any() for array in numbers(gradients))


def _undefined(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's gradient is no number, or infinite."""
    if not _in_gradient(case, found, ours, theirs):
        return False
    return any(not onp.isfinite(array).all() for array in numbers(theirs["gradients"]))


def _not_a_number(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    """Whether MXNet's result has NaN."""
    parts = (theirs.get("result"), theirs.get("gradients"), theirs.get("changed"))
    arrays = [array for array in numbers(parts) if array.dtype.kind == "f"]
    return any(onp.isnan(array).any() for array in arrays)


def _ours_not_a_number(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return _not_a_number(case, found, theirs, ours)


def _refused(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.kind == "refused"


def _special_gradient(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return _in_gradient(case, found, ours, theirs) and _is_special(case)


def _always(*_: Any) -> bool:
    return True


def _out_is_ignored(case: Case, found: Difference, ours: Answer, theirs: Answer) -> bool:
    return found.details.startswith("out ") and not any(a.any() for a in numbers(theirs["out"]))


_POWERS = r"(nd|np|method)\.(.*([pP]ower|pow).*|__r?pow__)"


def _has_positions(case: Case) -> bool:
    """Whether an index has arrays with negative positions, booleans, or arrays beside new axes."""
    arrays = list(specs(case["inputs"][1]))
    is_mixed = "None" in str(case["inputs"][1])
    return any(s["values"][1] < 0 or s["dtype"] == "bool" or is_mixed for s in arrays)


KNOWN = (
    Known("Positions in arrays", r"index\..*", lambda *a: _has_positions(a[0])),
    Known(
        "Arrays without axes",
        r"(nd|method)\..*",
        lambda *a: a[1].kind == "shape" and "MXNet ()" in a[1].details,
    ),
    Known("Tests of bytes.", r"nd\.contrib\.isfinite", _always),
    Known(
        "Casts of numbers that a dtype does not hold",
        r"(nd|np|npx|method)\.(sinh|cosh|exp|exp2|expm1|gamma|square|norm|clip|hypot|.*[pP]ower.*|.*pow.*|_internal\._.*)",
        lambda *a: (
            a[1].kind == "values"
            and any(
                s["dtype"].startswith(("int", "uint"))
                for s in specs([a[0]["args"], a[0]["kwargs"]])
            )
        ),
    ),
    Known("MXNet's mistakes are not repeated", r"np\.linspace", _always),
    Known(
        "Undefined gradients are defined.",
        _POWERS + r"|.*([mM]od|prod|norm|arctan2|remainder|rpow|__r?mod__|fmod).*",
        _undefined,
    ),
    Known("Undefined gradients are defined.", r".*([mM]od|remainder).*", _in_gradient),
    Known("Undefined gradients are defined.", r".*(nanprod|prod|product)", _special_gradient),
    Known(
        "Infinities in `nansum`",
        r".*(sum|mean|average|norm|moments|var|std).*",
        lambda *a: _is_special(a[0]) and _not_a_number(*a),
    ),
    Known("`unravel_index` of a matrix", r"nd\.(unravel_index|_internal\._unravel_index)", _always),
    Known(
        "Order of equal elements.",
        r".*(sort|topk|argsort).*",
        lambda *a: _is_special(a[0]) or _is_long(a[0]),
    ),
    Known(
        "Gradients at NaN and infinity",
        r".*([rR]e[lL][uU]|[aA]ctivation|clip|[mM]aximum|[mM]inimum|sigmoid|GELU|ELU|softsign).*",
        lambda *a: (
            _is_special(a[0])
            and (_in_gradient(*a) or "elu" in a[0]["name"].lower() or "ctivation" in a[0]["name"])
        ),
    ),
    Known(
        "Poles of gamma",
        r".*(gamma|gammaln|digamma|pdf).*",
        lambda *a: _not_a_number(*a) or _undefined(*a) or _ours_not_a_number(*a),
    ),
    Known("Powers of minus infinity", _POWERS + "|.*(sqrt|cbrt).*", lambda *a: _is_special(a[0])),
    Known(
        "Densities outside of their domain",
        r".*pdf.*",
        lambda *a: _ours_not_a_number(*a) or _not_a_number(*a),
    ),
    Known("More functions have gradients", r"(np|npx|method)\..*", _without_gradient),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.(rot90|where|average|pad)|np\.linalg\.norm|method\.norm",
        _in_gradient,
    ),
    Known("MXNet's mistakes are not repeated", r"np\.(pad|linalg\.norm)", _always),
    Known("`out` is written", r"(nd|np|npx)\..*", _out_is_ignored),
    Known(
        "Memory that is not set",
        r".*(empty|all_finite).*",
        lambda *a: a[1].kind in ("values", "refused"),
    ),
    Known(
        "Casts of numbers that a dtype does not hold",
        r".*([cC]ast|astype|amp_cast|cumsum|sum|prod|mean|full|one_hot).*",
        lambda *a: any(
            str(v) in ("uint8", "int8", "int32", "int64") for v in a[0]["kwargs"].values()
        ),
    ),
    Known(
        "Division of integers by zero",
        r".*([dD]iv|[mM]od|remainder|reciprocal).*",
        lambda *a: any(
            s["dtype"].startswith(("int", "uint")) for s in specs([a[0]["args"], a[0]["kwargs"]])
        ),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*LeakyReLU|.*leaky_relu|.*SoftmaxActivation|.*softmax_activation|.*Pooling.*|.*pooling|.*random_(color_jitter|contrast|saturation|brightness|hue|lighting)|.*adjust_lighting",
        _in_gradient,
    ),
    Known(
        "Arguments that mean nothing are refused",
        r".*(window|hanning|hamming|blackman|[hvd]?split|random\..*)",
        _refused,
    ),
    Known(
        "MXNet's mistakes are not repeated",
        r"np\.(mean|average)|method\.mean|np.linalg.tensorsolve|np.matmul",
        _always,
    ),
    Known("`adamw_update` and `nag_mom_update`", r"nd\..*(adamw|nag_mom)_update", _always),
    Known(
        "Arguments that mean nothing are refused",
        r".*(color_jitter|gamma|poisson|negative_binomial|histogram|exponential|chisquare|isclose|allclose|index_copy|lamb_update_phase1|SDMLLoss)",
        lambda *a: a[1].kind in ("refused", "timeout"),
    ),
    Known(
        "Arguments that mean nothing are refused",
        r"(nd|np|npx)\.(.*random|.*sample).*",
        lambda *a: any(
            s["dtype"].startswith(("int", "uint")) or s["values"][0] in ("normal", "special")
            for s in specs([a[0]["args"], a[0]["kwargs"]])
        ),
    ),
    Known(
        "`transforms.RandomHue` of bytes",
        r"transform\.Random(Hue|ColorJitter)|.*random_(hue|color_jitter)",
        _always,
    ),
    Known(
        "Numbers beside integers in graphs",
        r"np\..*",
        lambda *a: a[1].kind == "dtype" and a[0].get("mode") != "eager",
    ),
    Known(
        "BatchNorm's moving averages",
        r".*([bB]atch_?[nN]orm).*",
        lambda *a: a[1].kind == "changed" or a[1].details.startswith("out "),
    ),
    Known(
        "Gradients that MXNet computes wrongly are right",
        r".*(SELU|GlobalMaxPool.D|MaxPool.D|AvgPool.D)",
        _in_gradient,
    ),
    Known(
        "Infinities in `nansum`",
        r".*(Conv|Pool|Correlation|SVMOutput|FullyConnected|Dense|dot|gemm|einsum|matmul|pooling|convolution).*",
        lambda *a: _is_special(a[0]),
    ),
    Known(
        "Signs of LAPACK's vectors",
        r"initializer\.Orthogonal|.*(svd|eig|gelqf|qr).*",
        lambda *a: a[1].kind.endswith("values"),
    ),
    Known("`PearsonCorrelation(average='micro').get_global()`", r"metric\.pearsonr", _always),
    Known(
        "`transforms.RandomFlipLeftRight` and `RandomFlipTopBottom`",
        r"transform\.RandomFlip.*|.*flip_(left_right|top_bottom)",
        _always,
    ),
    Known(
        "Drawn by NumPy's names in graphs",
        r"npx?\.random\..*",
        lambda *a: a[0].get("mode") == "symbol",
    ),
)
