"""Writes the docstrings of operators that update weights."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from gluonish.ops.updates.arguments import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.ops.updates.rows import Form

_WIDTH = 96


def documentation(form: Form) -> str:
    """Return an operator's docstring."""
    number = "several " if form.is_many else "a "
    weights = f"{number}{'half-precision ' * form.is_half}weight{'s' * form.is_many}"
    copies = "their float32 copies" if form.is_many else "its float32 copy"
    more = ["Learning rates and weight decays are arrays."] * form.is_preloaded
    return "\n".join(
        [
            f"Return {form.update.does.format(weights)}{f' on {copies}' * form.is_half}.",
            *(text for note in (*more, form.update.notes) if note for text in ("", _filled(note))),
            *("", "Parameters", "----------", *_parameters(form)),
            *("", "Examples", "--------", *_example(form), ""),
        ]
    )


def _parameters(form: Form) -> Iterator[str]:
    """Yield a line on each argument's type, and some on its meaning."""
    if form.is_flat:
        yield from ("*data : Tensor", _filled(_data(form), "    "))
    else:
        for name in form.arrays:
            argument = form.argument(name)
            change = "; changes in place" * (name in form.changed)
            each = ", for each weight" * (form.has_lists and name in form.arrays[2:])
            yield f"{name} : {TYPES.get(argument.annotation, argument.annotation)}"
            yield _filled(f"{argument.meaning}{each}{change}.", "    ")
    for name, default in form.options.items():
        argument = form.argument(name)
        kind = TYPES.get(argument.annotation, argument.annotation)
        yield f"{name} : {kind}{f', default {default}' * (default not in ('', 'None'))}"
        yield _filled(argument.meaning, "    ")


def _data(form: Form) -> str:
    """Return a text on arrays that come one weight after the other."""
    kinds = [form.argument(name).meaning.lower() for name in form.arrays[2:]]
    change = " What comes after a gradient changes in place." * bool(kinds)
    rates = " Then an array of learning rates, and one of weight decays." * form.is_preloaded
    names = ", ".join(["The weight", "its gradient", *kinds])
    return f"{names}; the same of the next weight, and so on.{change}{rates}"


def _example(form: Form) -> Iterator[str]:
    """Yield the lines of an update of a weight of 1 with a gradient of 1."""
    weight, grad = form.arrays[:2]
    yield ">>> import gluonish as mx"
    if form.is_half:
        copy = form.arrays[-1]
        yield f">>> {copy} = {grad} = mx.nd.ones((1, 1))"
        yield f">>> {weight} = {copy}.astype('float16')"
    else:
        yield f">>> {weight} = {grad} = mx.nd.ones((1, 1))"
    states = form.update.states.split()
    if states:
        shape = (len(states), 1, 1) if len(states) > 1 else (1, 1)
        yield f">>> {', '.join(states)} = mx.nd.zeros({shape})"
    given = [f"[{name}]" if form.has_lists else name for name in form.arrays]
    if form.is_preloaded:
        given += ["mx.nd.array([0.5])", "mx.nd.array([0])"]
    needed = [name for name, default in form.options.items() if not default]
    given += [f"{name}={form.argument(name).shown}" for name in needed]
    path = form.update.paths[-1].format(form.name).replace("_internal._sparse_", "sparse.")
    call = f">>> updated = mx.nd.{path}({', '.join(given)})"
    yield textwrap.fill(call, _WIDTH, subsequent_indent="...     ")
    yield ">>> updated.asnumpy().round(2)"
    dtype = "float16" if form.is_half and form.returns_weights else "float32"
    yield f"array([[{form.update.result}]], dtype={dtype})"


def _filled(text: str, indent: str = "") -> str:
    """Return a text in lines; most are short, and a look at the length is quick."""
    if len(indent) + len(text) <= _WIDTH:
        return indent + text
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
