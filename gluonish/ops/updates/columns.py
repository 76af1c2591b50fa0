"""Finds what belongs to each weight in the arguments of operators that update many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.ops.updates.foreach import Rates
    from gluonish.ops.updates.rows import Step
    from gluonish.ops.updates.rules import Factors


def columns(name: str, data: Sequence[Tensor], width: int, told: int | None) -> list[list[Tensor]]:
    """Return weights, gradients and so on of arrays that are given weight by weight.

    Raises
    ------
    InvalidArgumentError
        Their number is not a multiple of `width`, or not what the caller has told.
    """
    count, rest = divmod(len(data), width)
    if rest or not count or (told is not None and told != count):
        expected = "a multiple of that" if told is None else f"num_weights={told} times as many"
        msg = (
            f"{name}: {len(data)} arrays were given beside the rates. Expected {width} for each "
            f"weight, {expected}. Pass weight, gradient and states of one weight after the other."
        )
        raise InvalidArgumentError(msg)
    return [list(data[start::width]) for start in range(width)]


def check_lists(name: str, told: int, lists: list[Sequence[Tensor]]) -> list[Sequence[Tensor]]:
    """Return lists, which are of one array of each kind for each weight.

    Raises
    ------
    InvalidArgumentError
        Lists are of different lengths, empty, or not of the length that the caller has told.
    """
    counts = [len(one) for one in lists]
    if not counts[0] or len(set(counts)) > 1 or told not in (0, counts[0]):
        expected = "as many of each" if not told else f"{told} of each"
        msg = (
            f"{name}: lists of {', '.join(map(str, counts))} arrays were given. Expected "
            f"{expected}, one or more. Pass weights, gradients and states in the same order."
        )
        raise InvalidArgumentError(msg)
    return lists


def per_weight(name: str, count: int, **numbers: float | Sequence[float]) -> list[list[float]]:
    """Return lists of one number for each weight.

    Raises
    ------
    InvalidArgumentError
        There are more or fewer.
    """
    found = []
    for what, given in numbers.items():
        values = [given] if isinstance(given, (int, float)) else list(given)
        if len(values) != count:
            _refuse_count(name, what, len(values), count)
        found.append([float(value) for value in values])
    return found


def loaded(name: str, count: int, arrays: Sequence[Tensor]) -> list[Rates]:
    """Return learning rates and weight decays that are arrays with one number for each weight.

    Raises
    ------
    InvalidArgumentError
        There are more or fewer.
    """
    rates: list[Rates] = []
    for what, one in zip(("learning rates", "weight decays"), arrays, strict=True):
        if one.numel() != count:
            _refuse_count(name, what, one.numel(), count)
        rates.append(list(one.detach().reshape(-1).unbind()))
    return rates


def refuse_text(*options: object) -> None:
    """Refuse numbers that are text before anything has changed; they are then read, and it goes on.

    Raises
    ------
    TypeError
        There is text.
    """
    if str in map(type, options):
        msg = "text stands in the place of a number"
        raise TypeError(msg)


def updated(
    step: Step, found: Sequence[Sequence[Tensor]], is_half: bool, factors: Factors, **constants: Any
) -> Tensor | list[Tensor]:
    """Return new weights, or the new one where there is one; states change in place.

    `found` holds weights, gradients, states and, where `is_half` is true, float32 copies of the
    weights, which change in place, too.
    """
    weights, grads, *states = found
    if is_half:
        *states, copies = states
        targets = [copy.detach() for copy in copies]
        grads = [grad.float() for grad in grads]
    else:
        targets = [weight.clone() for weight in weights]
    columns = [[state.detach() for state in column] for column in states]
    step(targets, list(grads), columns, factors, **constants)
    new = [target.to(weight.dtype) for target, weight in zip(targets, weights, strict=True)]
    return new if len(new) > 1 else new[0]


def _refuse_count(name: str, what: str, given: int, expected: int) -> None:
    msg = (
        f"{name}: {given} {what} were given for {expected} weights. Expected one for each. Pass "
        f"{expected} numbers."
    )
    raise InvalidArgumentError(msg)
