"""Builds operators that update weights out of their rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from gluonish.ops.table import op
from gluonish.ops.updates.arguments import COUNTS
from gluonish.ops.updates.cards import CARDS
from gluonish.ops.updates.columns import (
    check_lists,
    columns,
    loaded,
    per_weight,
    refuse_text,
    updated,
)
from gluonish.ops.updates.documentation import documentation
from gluonish.ops.updates.inference import inferred, weights_told
from gluonish.ops.updates.rows import Form
from gluonish.process.postponed import settle_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gluonish.ops.updates.rows import Update

_HELPERS = (check_lists, columns, loaded, per_weight, refuse_text, settle_all, updated)
_SCOPE = {each.__name__: each for each in _HELPERS}
_DEFINITION = """
def {name}({parameters}) -> {returned}:
    {lines}
"""


def register(module: str, updates: Iterable[Update]) -> None:
    """Register the operators of updates, one for each of their forms, as those of a module."""
    for form in (Form(update, prefix) for update in updates for prefix in update.forms):
        op(
            is_late=True,
            nd=[path.format(form.name) for path in form.update.paths],
            outputs=weights_told if form.is_flat else 0 if form.is_many else 1,
            aux=() if form.is_many else form.changed,
            **({} if form.has_lists else inferred(form)),
            **CARDS.get(form.name, {}),
        )(partial(_function, form, module))


def _function(form: Form, module: str) -> Callable[..., Any]:
    """Return an operator's function, as one of a module.

    Its code is written as a dataclass's is: Python's own way to find arguments is the quick one.
    """
    scope: dict[str, Any] = {**_SCOPE, "step": form.update.step}
    definition = _DEFINITION.format(
        name=form.name,
        parameters=", ".join(_parameters(form)),
        returned="Tensor | list[Tensor]" if form.is_many else "Tensor",
        lines="\n    ".join(_lines_for_many(form) if form.is_many else _lines_for_one(form)),
    )
    exec(definition, scope)
    function: Callable[..., Any] = scope[form.name]
    function.__module__ = module
    function.__doc__ = documentation(form)
    if form.update.expects:
        function.expects = form.update.expects  # type: ignore[attr-defined]
    return function


def _parameters(form: Form) -> Iterator[str]:
    """Yield what a signature consists of."""
    if form.is_flat:
        yield "*data: Tensor"
    else:
        yield from (f"{name}: {form.argument(name).annotation}" for name in form.arrays)
        yield from ["*"] * form.needs_names
    for name, default in form.options.items():
        yield f"{name}: {form.argument(name).annotation}{f' = {default}' * bool(default)}"


def _lines_for_one(form: Form) -> Iterator[str]:
    """Yield the code of an operator that updates a single weight."""
    weight, grad, *states = form.arrays
    yield "settle_all()"
    yield f"refuse_text({', '.join(form.options)})"
    if form.is_half:
        yield f"targets = [{states.pop()}.detach()]"
        grad += ".float()"
    else:
        yield f"targets = [{weight}{'.clone()' * form.returns_weights}]"
    factors = {part: f"[{name}]" for name, part in form.factors.items()}
    yield f"factors = {_dictionary(factors)}"
    columns = ", ".join(f"[{state}.detach()]" for state in states)
    yield f"found = step(targets, [{grad}], [{columns}], factors, {form.constants})"
    if not form.returns_weights:
        yield "return found[0]"
    else:
        yield f"return targets[0]{f'.to({weight}.dtype)' * form.is_half}"


def _lines_for_many(form: Form) -> Iterator[str]:
    """Yield the code of an operator that updates several weights."""
    count = next(name for name in COUNTS if name in form.options)
    yield "settle_all()"
    yield f"refuse_text({', '.join(form.options)})"
    rates = {name: part for name, part in form.factors.items() if part != "scale"}
    if form.has_lists:
        yield f"found = check_lists('{form.name}', {count}, [{', '.join(form.arrays)}])"
    else:
        data = "data[:-2]" if form.is_preloaded else "data"
        yield f"found = columns('{form.name}', {data}, {len(form.arrays)}, {count})"
    if form.is_preloaded:
        rates = {"lrs": "lr", "wds": "wd"}
        yield f"lrs, wds = loaded('{form.name}', len(found[0]), data[-2:])"
    else:
        numbers = ", ".join(f"{name}={name}" for name in rates)
        yield f"{', '.join(rates)} = per_weight('{form.name}', len(found[0]), {numbers})"
    factors = {part: name for name, part in rates.items()}
    factors["scale"] = "[rescale_grad] * len(found[0])"
    yield f"factors = {_dictionary(factors)}"
    yield f"return updated(step, found, {form.is_half}, factors, {form.constants})"


def _dictionary(values: Mapping[str, str]) -> str:
    """Return the code of a dictionary."""
    return f"{{{', '.join(f'{key!r}: {value}' for key, value in values.items())}}}"
