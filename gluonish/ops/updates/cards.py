"""What mixed precision and sparse arrays have to do with operators of updates."""

from __future__ import annotations

from typing import Any

from gluonish.ops.table import EITHER, UNLISTED, Precision, Sparse

_ADAMW = Precision("either", others={"_contrib_adamw_update": UNLISTED})
_MP_ADAMW = Precision("either", others={"_contrib_mp_adamw_update": UNLISTED})
_LISTED = """
adam_update ftml_update ftrl_update rmsprop_update rmspropalex_update adagrad_update
group_adagrad_update sgd_update sgd_mom_update mp_sgd_update mp_sgd_mom_update signsgd_update
signum_update multi_sgd_update multi_sgd_mom_update multi_mp_sgd_update multi_mp_sgd_mom_update
"""
CARDS: dict[str, dict[str, Any]] = {name: {"precision": EITHER} for name in _LISTED.split()}
CARDS |= {
    "adamw_update": {"precision": _ADAMW},
    "mp_adamw_update": {"precision": _MP_ADAMW},
}
for _name in ("sgd_update", "sgd_mom_update", "adam_update", "adagrad_update"):
    CARDS[_name]["sparse"] = Sparse("updates rows", names=(_name,))
CARDS["ftrl_update"]["sparse"] = Sparse("updates sparse rows", names=("ftrl_update",))
CARDS["group_adagrad_update"]["sparse"] = Sparse(
    "updates rows", functions=("group_adagrad_update",)
)
