"""Advice that repeats what a program's line calls, with what that line hands over."""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING

import numpy as onp

from gluonish.errors.program_text import (
    Place,
    expression,
    of_file,
    place as place_of_program,
    short_name,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

_LONGEST = 40  # letters of an argument that is repeated
# Words after which the program's arguments are not those that belong there.
_ORDER = re.compile(
    r"\bfirst\b|\bsecond\b|\border\b|[Ee]xchange|other way|comes? last|(?:rch|ras)'s "
)
_NOT_SIGNATURE = r"(?<![\w.'\"])(?<!Expected )(?<!Expected at most \d: )(?<!which is )"
_SETTINGS = re.compile(r" About (\w+): write optimizer_params=\{('\w+'): [^}]*\}\.")
_TORCHS = re.compile(
    r"PyTorch's (?P<theirs>\w+)\((?P<given>[\w, ]+)\) is (?:\w+\.)*(?P<ours>\w+)\([^)]*\) here"
    r": it finds \w+ itself"
)
_REFUSED = re.compile(r"(?:\w+: )?(\w+)=(\S+) was given\.")
_ORDINALS = ("first", "second", "third", "fourth")
_OPERANDS = ("x", "y")
_PARTS_OF_ESTIMATORS = {
    "Loss": r"gluon\.loss\.SoftmaxCrossEntropyLoss\(\)",
    "Trainer": r"gluon\.Trainer\([\w.]+\.collect_params\(\), 'sgd'\)",
}
_RANDINT = "randint(0, 10, shape=(2, 3))"
_AS_NP = ".as_np_ndarray()"
_SHAPE = "(2, 3)"  # stands for a program's
_AXES = "(1, 0)"  # stand for a program's
_AXIS = re.compile(r"-?\d+")
_OF_FILE = re.compile(r".*\.(?!pth?$|ckpt$|h5$|keras$)\w+")  # but for those of others
_SIZE = re.compile(r"\d+|[A-Za-z_]\w*")


def made_first(name: str, module: str) -> str:
    """Return how an object is made and called, where a program calls its class with data.

    Parameters
    ----------
    name : str
        The class.
    module : str
        Where it is, with a dot.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.loss.L2Loss(mx.nd.ones(2), mx.nd.ones(2))
    Traceback (most recent call last):
    ...
    gluonish.errors.OperandError: L2Loss: ... Make it first, then call it: loss_fn = \
mx.gluon.loss.L2Loss(), then loss = loss_fn(mx.nd.ones(2), mx.nd.ones(2)).
    """
    node = expression(place_of_program())
    target = "loss"
    if isinstance(node, ast.Assign):
        target, node = ast.unparse(node.targets[0]), node.value
    made, maker, given = "loss_fn", f"{module}{name}", "pred, label"
    if isinstance(node, ast.Call) and node.args:
        function = ast.unparse(node.func)
        given = ", ".join(map(ast.unparse, node.args))
        if function.rpartition(".")[2] == name:
            maker = function
        elif function.isidentifier():
            made = function
    return f"{made} = {maker}(), then {target} = {made}({given})"


def spelled(advice: str, trace: TracebackType, *, is_unknown: bool = False) -> str:
    """Return advice with the program's arguments in the place of names that stand for them.

    Parameters
    ----------
    advice : str
        As in `imresize(picture, width, height) takes two numbers`.
    trace : traceback
        The step of the program.
    is_unknown : bool, default False
        Whether the error is that something does not exist, so that what it was given is right.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.own_calls import spelled
    >>> photo = mx.nd.zeros((4, 4, 3))
    >>> try:
    ...     mx.image.imresize(photo, (2, 2))
    ... except mx.MXNetError as error:
    ...     step = error.__traceback__
    >>> spelled("imresize(picture, width, height) takes two numbers.", step)
    'imresize(photo, 2, 2) takes two numbers.'
    """
    frame = trace.tb_frame
    node = expression(Place(frame.f_code, trace.tb_lasti))
    known = {**vars(builtins), **frame.f_globals, **frame.f_locals}
    if isinstance(node, ast.BinOp):
        return _with_operands(advice, node, known)
    if is_unknown:
        return _of_unknown(advice, node, trace, known)
    if isinstance(node, ast.Call):
        advice = _by_position(advice, node, frame)
        advice = _in_one_dictionary(_of_torch(advice, node, frame), node)
        advice = _unrolled(_with_betas(_with_function(advice, node), node), node, known)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        given = ast.unparse(node.args[0])
        if len(given) <= _LONGEST:
            advice = re.sub(r"(?<=\()condition\b", lambda _: given, advice)
    if not isinstance(node, ast.Call) or _ORDER.search(advice):
        return advice
    if len(node.args) == 1 and node.keywords and _RANDINT in advice:
        most, *others = map(ast.unparse, (*node.args, *node.keywords))
        others = [re.sub("^size=", "shape=", each) for each in others]
        advice = advice.replace(_RANDINT, f"randint({', '.join(['0', most, *others])})")
        advice = advice.replace("draws numbers below 10", f"draws numbers below {most}")
    if (limit := _both_sides(node)) is not None:
        own = f"Uniform({limit}) draws from -{limit} to {limit}"
        advice = advice.replace("Uniform(0.1) draws from -0.1 to 0.1", own)
    name = ast.unparse(node.func).rpartition(".")[2]
    is_right = "missing a required argument" in advice and _is_short(node.args[:1])
    gaps: dict[str, str] = {}
    for start, end in reversed([*_calls(advice, name, of_examples=is_right)]):
        text = _with_arguments(advice[start:end], node, advice, known)
        gaps |= _gaps(advice[start:end], text)
        advice = f"{advice[:start]}{text}{advice[end:]}"
    for gap, own in gaps.items():
        pattern = rf"(?<=[a-z]\(){gap}(?=[,)])|(?<=, ){gap}(?=\))"
        advice = re.sub(pattern, _literal(own), advice)
    return advice


def _with_function(advice: str, node: ast.Call) -> str:
    """Return advice to apply a function to a dataset's data with what a program gives for it."""
    given = [each.value for each in node.keywords if each.arg == "transform"]
    text = short_name(given[0]) if given else ""
    return advice.replace("transform_first(function)", f"transform_first({text or 'function'})")


def _with_betas(advice: str, node: ast.Call) -> str:
    """Return advice on Adam's two rates with those that a program gives as a pair."""
    pairs = [(key, value) for each in ast.walk(node) for key, value in _items(each)]
    for key, value in pairs:
        if key == "betas" and isinstance(value, ast.Tuple) and len(value.elts) == len(_OPERANDS):
            one, two = map(ast.unparse, value.elts)
            written = f"'beta1': {one}, 'beta2': {two}"
            if any(each.arg == key for each in node.keywords):
                written = f"beta1={one}, beta2={two}"
            advice = advice.replace("beta1=0.9, beta2=0.999 are", f"{written} are")
    return advice


def _items(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Give what a call, or a dictionary, has by names."""
    if isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg, node.value
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield str(key.value), value


def _unrolled(advice: str, node: ast.Call, known: dict[str, object]) -> str:
    """Return advice to unroll a cell with the number of steps that the program's data have."""
    named = {each.arg: each.value for each in node.keywords}
    data = named.get("inputs") or (node.args[0] if node.args else None)
    held = known.get(data.id) if isinstance(data, ast.Name) else None
    shape: tuple[int, ...] = getattr(held, "shape", ())
    if "unroll(length, inputs)" not in advice or data is None or len(shape) != len("NTC"):
        return advice
    layout = named.get("layout")
    order = str(layout.value) if isinstance(layout, ast.Constant) else "NTC"
    steps = shape[max(order.find("T"), 0)]
    others = [ast.unparse(each) for each in node.keywords if each.arg != "inputs"]
    written = ", ".join([str(steps), ast.unparse(data), *others])
    return advice.replace("unroll(length, inputs)", f"unroll({written})")


def _gaps(before: str, after: str) -> dict[str, str]:
    """Return which names of a call were replaced, and by what."""
    if before == after:
        return {}
    first, second = (ast.parse(text, mode="eval").body for text in (before, after))
    if not isinstance(first, ast.Call) or not isinstance(second, ast.Call):
        return {}
    pairs = zip(first.args, second.args, strict=False)
    return {one.id: ast.unparse(two) for one, two in pairs if isinstance(one, ast.Name)}


def _by_position(advice: str, node: ast.Call, frame: FrameType) -> str:
    """Return `ctx=7 was given` with which of a call's arguments without a name that is."""
    found = _REFUSED.match(advice)
    if found is None or any(each.arg == found[1] for each in node.keywords):
        return advice
    values = [
        each.value if isinstance(each, ast.Constant) else value_of(each, frame)
        for each in node.args
    ]
    places = [
        place
        for place, value in enumerate(values)
        if type(value) in (bool, int, float, str) and repr(value) == found[2]
    ]
    if len(places) != 1 or places[0] >= len(_ORDINALS):
        return advice
    written = node.args[places[0]]
    if isinstance(written, ast.Constant) and not places[0]:
        return advice
    own = "" if isinstance(written, ast.Constant) else f"by {ast.unparse(written)} "
    told = f" was given, {own}in the {_ORDINALS[places[0]]} place."
    return f"{advice[: found.end(2)]}{told}{advice[found.end() :]}"


def _of_torch(advice: str, node: ast.Call, frame: FrameType) -> str:
    """Return `PyTorch's Linear(n, m) is Dense(m) here: it finds n itself` with what is given."""
    found = _TORCHS.search(advice)
    given = [ast.unparse(each) for each in node.args]
    given += [ast.unparse(each.value) for each in node.keywords if each.arg == "kernel_size"]
    names = found["given"].split(", ") if found is not None else []
    called = ast.unparse(node.func).rpartition(".")[2]
    is_it = found is not None and called in (found["theirs"], found["ours"])
    if found is None or not is_it or len(given) != len(names) or max(map(len, given)) > _LONGEST:
        return advice
    own = dict(zip(names, given, strict=True))
    text = re.sub(r"\b(?:n|m|g|size)\b", lambda each: own.get(each[0], each[0]), found[0])
    alike = _lines_alike(node, frame)
    kept = [each for each in node.keywords if each.arg in ("padding", "groups", "dilation")]
    if kept and "Conv" in found["ours"]:
        text = text.replace(") here", f", {', '.join(map(ast.unparse, kept))}) here")
    return advice.replace(found[0], f"{text}{alike}")


def _lines_alike(node: ast.Call, frame: FrameType) -> str:
    """Return which other lines of a program call the same with as many arguments, with a comma."""
    tree = of_file(frame.f_code.co_filename)
    function, count = ast.unparse(node.func), len(node.args)
    lines = sorted(
        each.lineno
        for each in (ast.walk(tree) if tree is not None else ())
        if isinstance(each, ast.Call) and ast.unparse(each.func) == function
        if len(each.args) == count and ast.unparse(each) != ast.unparse(node)
        if not any(isinstance(getattr(given, "value", 0), str) for given in each.args)
    )
    if not lines:
        return ""
    return f", and so in line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"


def _in_one_dictionary(advice: str, node: ast.Call) -> str:
    """Return advice to hand over settings of an optimizer, with all that the program gives."""
    found = [*_SETTINGS.finditer(advice)]
    given = {each.arg: ast.unparse(each.value) for each in node.keywords}
    if not found or not all(each[1] in given for each in found):
        return advice
    pairs = ", ".join(f"{each[2]}: {given[each[1]]}" for each in found)
    start, end = found[0].start(), found[-1].end()
    return f"{advice[:start]} Write optimizer_params={{{pairs}}}.{advice[end:]}"


def _both_sides(node: ast.Call) -> str | None:
    """Return `0.05` of a call with -0.05 and 0.05, by whatever names."""
    given = [ast.unparse(each) for each in (*node.args, *(key.value for key in node.keywords))]
    return given[1] if len(given) == len(_OPERANDS) and given[0] == f"-{given[1]}" else None


def _is_short(nodes: list[ast.expr]) -> bool:
    return bool(nodes) and all(map(short_name, nodes))


def _calls(advice: str, name: str, *, of_examples: bool) -> Iterator[tuple[int, int]]:
    """Give where the calls of a name begin and end in a text, but for signatures."""
    before = _NOT_SIGNATURE + ("" if of_examples else r"(?<!For example: )")
    for found in re.finditer(rf"{before}(?:\w+\.)*{re.escape(name)}\(", advice):
        depth = 0
        for place in range(found.end() - 1, len(advice)):
            depth += {"(": 1, ")": -1}.get(advice[place], 0)
            if not depth:
                yield found.start(), place + 1
                break


def _with_arguments(text: str, node: ast.Call, advice: str, known: dict[str, object]) -> str:
    """Return the text of a call with the program's arguments for names that it does not know."""
    try:
        call = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    given = [ast.unparse(each) for each in node.args]
    if not isinstance(call, ast.Call) or not call.args:
        return text
    first = call.args[0]
    if isinstance(first, (ast.List, ast.Tuple)) and len(first.elts) == len(given) > 1:
        named = {each.arg: each for each in node.keywords}
        own_keywords = [named.get(each.arg, each) for each in call.keywords]
        return ast.unparse(ast.Call(call.func, [type(first)(node.args)], own_keywords))
    if len(given) < len(call.args) and (last := _star(node, len(call.args), known)) is not None:
        names = [*node.args[:-1], last]
        return ast.unparse(ast.Call(call.func, names, call.keywords))
    if len(given) < len(call.args):
        several = (each.elts if isinstance(each, ast.Tuple) else [each] for each in node.args)
        given = [ast.unparse(each) for parts in several for each in parts]
    stands = [_stands(each, advice, known) for each in call.args]
    lacks_one = re.search(r"missing a required argument|, but no \w+\. ", advice) is not None
    if lacks_one and 0 < len(given) == len(call.args) - 1 and len(node.args) == len(given):
        stands[-1] = False  # what the program leaves out keeps its name
    is_short = all(len(each) <= _LONGEST for each in given)
    if not is_short or not stands[0] or stands.count(True) > len(given):
        return text
    own = list(call.args)
    for place, mine in enumerate(given[: len(own)]):
        value = ast.parse(mine, mode="eval").body
        if stands[place]:
            own[place] = _in_place(own[place], value)
        elif _are_rows(own[place], value):
            own[place] = value
    return ast.unparse(ast.Call(call.func, own, call.keywords))


def _star(node: ast.Call, count: int, known: dict[str, object]) -> ast.Starred | None:
    """Return a call's last argument with a star, if it is a tuple of all that lacks."""
    last = node.args[-1] if node.args else None
    held = known.get(last.id) if isinstance(last, ast.Name) else None
    if not isinstance(held, tuple) or last is None or len(held) != count - len(node.args) + 1:
        return None
    return ast.Starred(last)


def _in_place(node: ast.expr, value: ast.expr) -> ast.expr:
    """Return `x.T` or `x.copy()` with something else for `x`."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute(_in_place(node.value, value), node.attr)
    if isinstance(node, ast.Call):
        return ast.Call(_in_place(node.func, value), node.args, node.keywords)
    return value


def _are_rows(*nodes: ast.expr) -> bool:
    """Return whether all are tuples of as many tuples."""
    rows = [[*each.elts] if isinstance(each, ast.Tuple) else [] for each in nodes]
    inner = all(isinstance(each, ast.Tuple) for parts in rows for each in parts)
    return inner and len({len(parts) for parts in rows}) == 1 and bool(rows[0])


def _stands(node: ast.expr, advice: str, known: dict[str, object]) -> bool:
    """Return whether a name stands for something of the program, and for nothing of the advice."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name) or node.id in known or node.id == "self":
        return False
    return re.search(rf"\b{node.id}(?:, \w+)* =(?!=)|\bfor (?:\w+, )*{node.id}\b", advice) is None


def _with_operands(advice: str, node: ast.BinOp, known: dict[str, object]) -> str:
    """Return advice about `x` and `y` with what the program's line combines."""
    names = short_name(node.left), short_name(node.right)
    if not all(names) or "x" in known or not re.search(r"\(x, y\)", advice):
        return advice
    own = dict(zip(_OPERANDS, names, strict=True))
    return re.sub(r"(?<![\w.'\"])[xy](?![\w'\"(])", lambda found: own[found[0]], advice)


def _call_of(node: ast.AST | None, trace: TracebackType) -> ast.Call | None:
    """Return the call of a name at a step of the program."""
    tree = of_file(trace.tb_frame.f_code.co_filename)
    called = "" if node is None else ast.unparse(node)
    for each in ast.walk(tree) if tree is not None else ():
        if not isinstance(each, ast.Call):
            continue
        is_there = each.lineno <= trace.tb_lineno <= (each.end_lineno or each.lineno)
        if is_there and called in (ast.unparse(each.func), ast.unparse(each)):
            return each
    return None


def _file_of_line(trace: TracebackType) -> str:
    """Return the name of a file that a program's line writes or reads; '' if it has none."""
    tree = of_file(trace.tb_frame.f_code.co_filename)
    for each in ast.walk(tree) if tree is not None else ():
        if not isinstance(each, ast.Call) or each.lineno != trace.tb_lineno:
            continue
        texts = [arg for arg in each.args if isinstance(arg, ast.Constant)]
        texts = [arg for arg in texts if _OF_FILE.fullmatch(str(arg.value))]
        if texts and ast.unparse(each.func).rpartition(".")[2].startswith(("save", "load")):
            return ast.unparse(texts[0])
    return ""


def _of_unknown(
    advice: str, node: ast.AST | None, trace: TracebackType, known: dict[str, object]
) -> str:
    """Return advice for a call of what does not exist, with all that the program hands over."""
    call = _call_of(node, trace)
    if call is None:
        return advice
    texts = [ast.unparse(each) for each in call.args]
    advice = _of_torch(advice, call, trace.tb_frame)
    advice = _of_regression(_with_own_parts(advice, known), call, known)
    if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)):
        inner = [ast.unparse(each) for each in call.args[0].elts]
        advice = _with_inner(advice, inner) if "x" not in known else advice
    if 0 < len(written := ", ".join([*texts, *map(ast.unparse, call.keywords)])) <= _LONGEST:
        owner = ast.unparse(call.func).rpartition(".")[0]
        form = f"{owner and owner + '.'}\\1({_literal(written)})"
        advice = re.sub(r"(?<= here: )(?:\w+\.)*(\w+)\(x, axis=1\)", form, advice)
    is_file = ast.unparse(call.func).rpartition(".")[2].startswith(("load", "save"))
    if is_file and len(texts) == 1 and isinstance(call.args[0], (ast.Constant, ast.Name)):
        advice = advice.replace("_parameters(file)", f"_parameters({texts[0]})")
    elif "_parameters(file)" in advice and (name := _file_of_line(trace)):
        advice = advice.replace("_parameters(file)", f"_parameters({name})")
    if len(texts) >= len(_OPERANDS) and max(map(len, texts)) <= _LONGEST and "x" not in known:
        own = dict(zip(_OPERANDS, texts, strict=False))
        advice = re.sub(r"(?<=\()x, y(?=\))", lambda _: f"{own['x']}, {own['y']}", advice)
    advice = _of_method(advice, call, known)
    if len(texts) == 1 and len(texts[0]) <= _LONGEST and "x" not in known:
        advice = re.sub(r"\(x\) is it", lambda _: f"({texts[0]}) is it", advice)
    if len(texts) == 1 and _SIZE.fullmatch(texts[0]):
        advice = advice.replace("seed(42)", f"seed({texts[0]})")
        advice = advice.replace(
            "nd.arange(n)) is it, for n numbers", f"nd.arange({texts[0]})) is it"
        )
    is_shape = len(texts) > 1 and all(map(_SIZE.fullmatch, texts)) and not call.keywords
    if texts and all(map(_AXIS.fullmatch, texts)) and not call.keywords:
        advice = advice.replace(f"transpose({_AXES})", f"transpose(({', '.join(texts)}))")
    elif len(texts) == 1 and isinstance(call.args[0], ast.Tuple):
        advice = advice.replace(f"transpose({_AXES})", f"transpose({texts[0]})")
    if is_shape:
        advice = advice.replace(_SHAPE, f"({', '.join(texts)})")
    elif len(texts) == 1 and isinstance(call.args[0], ast.Tuple):
        advice = re.sub(rf"\b(shape|size)={re.escape(_SHAPE)}", rf"\1={texts[0]}", advice)
    elif len(texts) == 1 and _SIZE.fullmatch(texts[0]):
        advice = advice.replace(f"size={_SHAPE}", f"size={texts[0]}")
    for keyword in call.keywords:
        if keyword.arg is not None and isinstance(keyword.value, (ast.Constant, ast.Name)):
            own_value = f"{keyword.arg}={ast.unparse(keyword.value)}"
            given = re.compile(rf"\b{keyword.arg}=\d+(?=[,)])")
            advice = own_value.join(given.split(advice))
    return advice


def _with_own_parts(advice: str, known: dict[str, object]) -> str:
    """Return advice on an Estimator with the loss and the Trainer that a program has."""
    if "Estimator(" not in advice:
        return advice
    for kind, written in _PARTS_OF_ESTIMATORS.items():
        names = [
            name
            for name, value in known.items()
            if any(base.__name__ == kind for base in type(value).__mro__)
        ]
        if len(names) == 1:
            advice = re.sub(written, names[0], advice)
            advice = (
                re.sub(r"; where y are numbers.*?\(\)", "", advice) if kind == "Loss" else advice
            )
    return advice


def _of_regression(advice: str, call: ast.Call, known: dict[str, object]) -> str:
    """Return advice on an Estimator with what one output, and NumPy's float64, ask for."""
    names = [each.id for each in call.args if isinstance(each, ast.Name)]
    if "Estimator(" not in advice or len(names) != len(_OPERANDS) or len(call.args) != len(names):
        return advice
    data, labels = (known.get(each) for each in names)
    if str(getattr(data, "dtype", "")) == "float64":
        written = f"ArrayDataset({names[0]}.astype('float32'), {names[1]})"
        advice = advice.replace("ArrayDataset(x, y)", written)
    owner = ast.unparse(call.func).rpartition(".")[0]
    last = [each for each in [known.get(owner)] if hasattr(each, "collect_params")]
    while last and (inner := [*getattr(last[-1], "_children", {}).values()]):
        last.append(inner[-1])
    if not last or getattr(last[-1], "_units", None) != 1:
        return advice
    values = set[object]()
    if isinstance(labels, onp.ndarray) and labels.dtype.kind in "biuf":
        values = {*labels.ravel().tolist()}
    loss = "SigmoidBCELoss" if values and values <= {0, 1} else "L2Loss"
    advice = re.sub(r"; where y are numbers.*?\(\)", "", advice)
    return advice.replace("SoftmaxCrossEntropyLoss()", f"{loss}()")


def _with_inner(advice: str, inner: list[str]) -> str:
    """Return `concat(x, y, dim=0)` with the elements of the list that a program hands over."""
    text = ", ".join(inner)
    if len(inner) < len(_OPERANDS) or len(text) > _LONGEST:
        return advice
    return re.sub(r"(?<=concat\()x, y(?=, dim)", _literal(text), advice)


def _literal(text: str) -> str:
    """Return a text that stands for itself in what a pattern is replaced by."""
    return text.replace("\\", "\\\\")


def _of_method(advice: str, call: ast.Call, known: dict[str, object]) -> str:
    """Return `nd.dot(a, ...)`, or `nd.dot(a, y)`, with what the method of `a` is given."""
    if not isinstance(call.func, ast.Attribute):
        return advice
    owner = ast.unparse(call.func.value)
    array, given = known.get(owner), [*map(ast.unparse, call.args)]
    if f"({owner}{_AS_NP}, ...)" in advice:
        owner += _AS_NP
        given = [f"{each}{_AS_NP * (type(known.get(each)) is type(array))}" for each in given]
    text = ", ".join([*given, *map(ast.unparse, call.keywords)])
    if len(text) > _LONGEST:
        return advice
    advice = advice.replace(f"({owner}, ...)", f"({owner}, {text})" if text else f"({owner})")
    return advice.replace(f"({owner}, y)", f"({owner}, {text})") if len(given) == 1 else advice
