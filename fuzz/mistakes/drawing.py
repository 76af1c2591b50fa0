"""Changes a program in one place, as people who type it from memory do."""

from __future__ import annotations

import ast
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

# What other libraries, or memory, call them.
FOREIGN = {
    "abs": ("absolute",), "add": ("append", "add_module"), "arange": ("range",),
    "argmax": ("max", "argmax_"), "array": ("tensor", "Variable", "from_numpy"),
    "asnumpy": ("numpy", "to_numpy", "detach"), "asscalar": ("item", "value", "numpy"),
    "astype": ("type", "to", "float", "cast"), "attach_grad": ("requires_grad_", "watch"),
    "backward": ("backwards", "gradient"), "batch_dot": ("bmm", "matmul"),
    "batch_size": ("bs", "batch"), "begin_state": ("init_hidden", "zero_state"),
    "clip": ("clamp", "clip_by_value"), "collect_params": ("parameters", "params", "get_params"),
    "concat": ("cat", "concatenate"), "context": ("device",), "Conv2D": ("Conv2d", "Convolution2D"),
    "ctx": ("device",), "data": ("tensor", "values"), "Dense": ("Linear", "FullyConnected"),
    "dot": ("matmul", "mm"), "Dropout": ("dropout",), "Embedding": ("embedding",),
    "epochs": ("nb_epoch", "num_epochs"), "expand_dims": ("unsqueeze",), "export": ("save",),
    "fit": ("train",), "Flatten": ("flatten",), "forward": ("call", "__call__"),
    "grad": ("gradient", "grads"), "hidden_size": ("units", "num_hidden"),
    "hybridize": ("compile", "script"), "initialize": ("init", "build", "reset_parameters"),
    "kernel_size": ("kernel", "size"), "learning_rate": ("lr",), "load_parameters": ("load",),
    "log_softmax": ("logsoftmax",), "mean": ("average",), "MaxPool2D": ("MaxPool2d",),
    "name_scope": ("scope", "variable_scope"), "num_layers": ("layers", "n_layers"),
    "ones": ("ones_like",), "optimizer": ("optim",), "padding": ("pad",),
    "pick": ("gather",), "rate": ("p",), "record": ("GradientTape", "enable_grad"),
    "relu": ("ReLU", "relu_"), "reshape": ("view", "resize"), "save_parameters": ("save",),
    "seed": ("manual_seed", "set_seed"), "set_learning_rate": ("set_lr",),
    "shape": ("size", "get_shape"), "shuffle": ("random",), "softmax": ("Softmax",),
    "split": ("chunk",), "squeeze": ("unsqueeze",), "step": ("update", "apply_gradients"),
    "strides": ("stride",), "sum": ("reduce_sum",), "take": ("gather", "index_select"),
    "topk": ("top_k",), "transpose": ("permute", "t"), "uniform": ("rand",), "normal": ("randn",),
    "units": ("out_features", "num_units"), "in_units": ("in_features", "input_dim"),
    "channels": ("filters", "out_channels"), "in_channels": ("input_channels",),
    "wd": ("weight_decay",), "zeros": ("empty", "zeros_like"), "zero_grad": ("zero_grads",),
}  # fmt: skip
_KEYWORDS = (
    "bias=False", "dim=1", "axis=1", "device='cuda'", "ctx=1", "verbose=1", "lr=0.1", "name='x'",
    "dtype='float'", "shape=(2, 2)", "keepdim=True", "inplace=True", "requires_grad=True",
    "activation=None", "stride=2", "training=True", "size=3",
)  # fmt: skip
_AROUND = (
    "[{0}]", "({0},)", "str({0})", "None", "{0}.asnumpy()", "{0}.T", "{0}[0]", "{0}.sum()",
    "list({0})", "{0}.shape", "float({0})", "'{0}'", "{0}.reshape(-1)", "lambda: {0}", "{0}.data()",
)  # fmt: skip
_NUMBERS = (0, 1, -1, 2, 3, 7, 100, 0.5, -2)


class Change(NamedTuple):
    """One change of a text: from where to where, what stands there then, and what it is."""

    begin: int
    end: int
    text: str
    kind: str

    def of(self, program: str) -> str:
        """Return the program, changed."""
        return program[: self.begin] + self.text + program[self.end :]


def draw(program: str, chance: random.Random) -> Change:
    """Return a change of a program, drawn first by its kind and then by its place."""
    lines = program.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tree = ast.parse(program)
    found: dict[str, list[Change]] = {}
    for kind, node, text in _changes(tree, program, chance):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        if program[begin:end] != text:
            found.setdefault(kind, []).append(Change(begin, end, text, kind))
    kinds = sorted(found)
    while True:
        change = chance.choice(found[chance.choice(kinds)])
        with contextlib.suppress(SyntaxError):  # which Python tells of
            ast.parse(change.of(program))
            return change


def _changes(
    tree: ast.Module, program: str, chance: random.Random
) -> Iterator[tuple[str, Any, str]]:
    """Yield kinds of changes, the nodes that they are of, and what stands there then."""
    nodes = list(_walk(tree))
    names = sorted({node.id for node in nodes if isinstance(node, ast.Name)})
    for node in nodes:
        for change in _OF.get(type(node), ()):
            yield from change(node, chance)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield "another name", node, chance.choice(names)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                yield from _of_lines(body, program)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all within it but parts of f-strings, whose places Python 3.11 mistakes."""
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child)


def _of_lines(body: list[ast.stmt], program: str) -> Iterator[tuple[str, Any, str]]:
    for i, line in enumerate(body):
        if isinstance(line, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
            continue
        yield "a line left out", line, "pass"
        segment = ast.get_source_segment(program, line) or "pass"
        if i and not segment.count("\n"):
            yield "a line twice", line, f"{segment}; {segment}" if ":" not in segment else segment
        if isinstance(line, ast.With):
            text = segment.split(":", 1)
            yield "no with", line, "if True:" + text[1]
        if isinstance(line, ast.Return):
            yield "no return", line, segment.removeprefix("return ")


def _of_call(node: ast.Call, chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    args, keywords = node.args, node.keywords
    yield "not called", node, ast.unparse(node.func)
    yield "called twice", node, f"{ast.unparse(node)}()"
    for i, keyword in enumerate(keywords):
        before, after = keywords[:i], keywords[i + 1 :]
        yield "a keyword left out", node, _call(node, args, before + after)
        if keyword.arg is not None:
            typo = _mistyped(keyword.arg, chance)
            for name in (typo, *FOREIGN.get(keyword.arg, ())):
                other = [*before, ast.keyword(name, keyword.value), *after]
                kind = "a mistyped keyword" if name == typo else "a foreign keyword"
                yield kind, node, _call(node, args, other)
    more = chance.choice(_KEYWORDS).split("=")
    if more[0] not in [keyword.arg for keyword in keywords]:
        value = ast.parse(more[1], mode="eval").body
        yield (
            "one keyword more",
            node,
            _call(node, args, [*keywords, ast.keyword(more[0], value)]),
        )
    for i, arg in enumerate(args):
        yield "an argument left out", node, _call(node, args[:i] + args[i + 1 :], keywords)
        if not isinstance(arg, ast.Starred):
            yield "another form", arg, chance.choice(_AROUND).format(ast.unparse(arg))
    if len(args) > 1:
        yield "arguments exchanged", node, _call(node, args[::-1], keywords)
    number = ast.Constant(chance.choice(_NUMBERS))
    yield "one argument more", node, _call(node, [*args, number], keywords)


def _call(node: ast.Call, args: list[ast.expr], keywords: list[ast.keyword]) -> str:
    return ast.unparse(ast.Call(node.func, args, keywords))


def _of_attribute(node: ast.Attribute, chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    value = ast.unparse(node.value)
    yield "a mistyped name", node, f"{value}.{_mistyped(node.attr, chance)}"
    for name in FOREIGN.get(node.attr, ()):
        yield "a foreign name", node, f"{value}.{name}"
    yield "called without need", node, f"{value}.{node.attr}()"
    yield "without its module", node, node.attr


def _of_constant(node: ast.Constant, chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    value = node.value
    if isinstance(value, bool):
        yield "the other truth", node, str(not value)
    elif isinstance(value, (int, float)):
        yield "another number", node, str(chance.choice((*_NUMBERS, value + 1, value * 2, -value)))
        yield "a number as text", node, repr(str(value))
    elif isinstance(value, str) and "\n" not in value and "{" not in value:
        yield "mistyped text", node, repr(_mistyped(value, chance))
        yield "text as something else", node, chance.choice(("None", "0", repr([value])))


def _of_sequence(node: Any, chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    if not isinstance(getattr(node, "ctx", None), ast.Load) or not node.elts:
        return
    parts = [ast.unparse(part) for part in node.elts]
    begin, end = "()" if isinstance(node, ast.Tuple) else "[]"
    comma = "," if begin == "(" else ""
    for kind, chosen in (
        ("one part less", parts[1:]), ("one part less", parts[:-1]),
        ("parts backwards", parts[::-1]), ("one part more", [*parts, chance.choice(parts)]),
    ):  # fmt: skip
        yield kind, node, begin + ", ".join(chosen) + (comma if len(chosen) == 1 else "") + end


def _of_operation(node: ast.BinOp, chance: random.Random) -> Iterator[tuple[str, Any, str]]:
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    yield "another operator", node, f"{left} {chance.choice('+-*/@')} {right}"


def _mistyped(name: str, chance: random.Random) -> str:
    """Return a name as hasty fingers write it."""
    if len(name) < 3:
        return name + chance.choice("sx2")
    i = chance.randrange(1, len(name) - 1)
    return chance.choice(
        (
            name[:i] + name[i + 1 :],
            name[:i] + name[i + 1] + name[i] + name[i + 2 :],
            name + "s",
            name.swapcase() if name.islower() else name.lower(),
            name.replace("_", "") if "_" in name else name[:i] + name[i] + name[i:],
        )
    )


_OF: dict[type, tuple[Any, ...]] = {
    ast.Call: (_of_call,),
    ast.Attribute: (_of_attribute,),
    ast.Constant: (_of_constant,),
    ast.Tuple: (_of_sequence,),
    ast.List: (_of_sequence,),
    ast.BinOp: (_of_operation,),
}
