"""Operators for one update of many weights; states change in place."""

from __future__ import annotations

from functools import partial

from gluonish.ops.updates.building import register
from gluonish.ops.updates.one_weight import ADAMW
from gluonish.ops.updates.rows import Update
from gluonish.ops.updates.rules import sgd_
from gluonish.ops.updates.steps import adamw_unless_overflown_, lamb_

_BOTH = ("multi_", "multi_mp_")
_ALL = (*_BOTH, "preloaded_multi_", "preloaded_multi_mp_")

register(
    __name__,
    (
        Update(
            "sgd_update",
            "{} after one update of SGD",
            partial(sgd_, momentum=0.0),
            "lrs wds rescale_grad=1.0 clip_gradient=-1.0 num_weights=None",
            0.5,
            forms=_ALL,
        ),
        Update(
            "sgd_mom_update",
            "{} after one update of SGD with momentum",
            sgd_,
            "lrs wds momentum=0.0 rescale_grad=1.0 clip_gradient=-1.0 num_weights=None",
            0.5,
            states="mom",
            forms=_ALL,
        ),
        Update(
            "adamw_update",
            "{} after one update of AdamW",
            adamw_unless_overflown_,
            "rescale_grad lrs wds etas size=0 beta1=0.9 beta2=0.999 epsilon=1e-8 "
            "clip_gradient=-1.0",
            0.84,
            states="mean var",
            forms=_BOTH,
            arrays="weights grads",
            paths=("contrib.{}",),
            own=ADAMW,
            notes="See `adamw_update` for the formula.",
        ),
        Update(
            "lamb_update",
            "{} after one update of LAMB",
            lamb_,
            "step_count lrs wds num_tensors=0 beta1=0.9 beta2=0.999 epsilon=1e-6 "
            "rescale_grad=1.0 lower_bound=-1.0 upper_bound=-1.0 clip_gradient=-1.0 "
            "bias_correction=True",
            0.5,
            states="mean var",
            forms=_BOTH,
            arrays="weights grads",
            paths=("contrib.{}",),
        ),
    ),
)
