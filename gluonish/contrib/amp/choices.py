"""Which operators mixed precision computes in which dtype: MXNet's lists, or a caller's own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.dtypes import torch_dtype
from gluonish.contrib.amp import casting
from gluonish.contrib.amp.cards import Lists
from gluonish.contrib.amp.lists import symbol_bf16, symbol_fp16
from gluonish.errors import DTypeError, InvalidArgumentError, RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.contrib.amp.cards import Condition

_LISTS = {torch.float16: (symbol_fp16, "FP16"), torch.bfloat16: (symbol_bf16, "BF16")}


def lists_of(target_dtype: DTypeLike, name: str) -> tuple[torch.dtype, Lists]:
    """Return a low precision, and what its module of lists says by now.

    Raises
    ------
    RefusedArgumentError
        It is another dtype.
    """
    dtype = torch_dtype(target_dtype)
    if dtype not in _LISTS:
        msg = (
            f"amp.{name}: target_dtype={target_dtype!r} was given. AMP currently supports only "
            f"float16 or bfloat16 as a target_dtype. Pass 'float16' or 'bfloat16'."
        )
        raise RefusedArgumentError(msg)
    module, low = _LISTS[dtype]
    return dtype, Lists(
        low=frozenset(getattr(module, f"{low}_FUNCS")),
        full=frozenset(module.FP32_FUNCS),
        either=frozenset(getattr(module, f"{low}_FP32_FUNCS")),
        widest=frozenset(module.WIDEST_TYPE_CASTS),
        conditions=tuple(module.CONDITIONAL_FP32_FUNCS),
    )


def with_own(
    lists: Lists,
    target_precision_ops: Sequence[str] | None,
    conditional_fp32_ops: Sequence[Condition] | None,
    fp32_ops: Sequence[str] | None,
    where: str,
) -> Lists:
    """Return lists with a caller's own in the place of MXNet's."""
    given = {"low": target_precision_ops, "full": fp32_ops}
    changes: dict[str, Any] = {}
    for name, names in given.items():
        if names is not None:
            _check_list(names, where)
            casting.check_names(names, where)
            changes[name] = casting.with_aliases(names)
    if conditional_fp32_ops is not None:
        _check_conditions(conditional_fp32_ops, where)
        casting.check_names([one[0] for one in conditional_fp32_ops], where)
        changes["conditions"] = tuple(conditional_fp32_ops)
    return replace(lists, **changes)


def _check_list(names: Any, where: str) -> None:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        msg = (
            f"{where}: {names!r} was given for names of operators. Expected a list of str. Write "
            f"['FullyConnected']."
        )
        raise DTypeError(msg)


def _check_conditions(conditions: Any, where: str) -> None:
    for one in conditions:
        if not isinstance(one, (tuple, list)) or len(one) != 3 or isinstance(one[2], str):
            msg = (
                f"{where}: {one!r} was given as a condition. Expected (operator, argument, "
                f"values). Write ('Activation', 'act_type', ['softrelu'])."
            )
            raise InvalidArgumentError(msg)
