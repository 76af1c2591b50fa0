"""Operators for one update of one weight; states change in place."""

from __future__ import annotations

from functools import partial

from gluonish.ops.updates.arguments import ARRAYS, OPTIONS, Argument
from gluonish.ops.updates.building import register
from gluonish.ops.updates.rows import Update
from gluonish.ops.updates.rules import (
    adam_,
    ftrl_,
    group_adagrad_,
    nag_,
    rmsprop_,
    sgd_,
    sgd_once_,
    signum_,
)
from gluonish.ops.updates.steps import (
    adagrad_,
    adamw_unless_overflown_,
    ftml_numbered_,
    lamb_along_,
    lamb_numbered,
)

_BOTH = ("", "mp_")
_LAST = "wd=0.0 rescale_grad=1.0 clip_gradient=-1.0"
_SCALE = "Factor on the gradient; nothing changes where it is 0, infinite or NaN."
_UP_TO = "Each element of the gradient is kept within this bound; no bound up to 0."
_UNCORRECTED = "The learning rate is not corrected for the means' start at 0; the caller does that."
ADAMW = {
    "rescale_grad": Argument("Tensor | float", _SCALE, "scale", "1.0"),
    "clip_gradient": OPTIONS["clip_gradient"]._replace(meaning=_UP_TO),
}

register(
    __name__,
    (
        Update(
            "sgd_update",
            "{} after one update of SGD",
            sgd_once_,
            f"lr {_LAST} lazy_update=True",
            0.5,
            forms=_BOTH,
        ),
        Update(
            "sgd_mom_update",
            "{} after one update of SGD with momentum",
            sgd_,
            f"lr momentum=0.0 {_LAST} lazy_update=True",
            0.5,
            states="mom",
            forms=_BOTH,
        ),
        Update(
            "nag_mom_update",
            "{} after one update of Nesterov's accelerated gradient",
            nag_,
            f"lr momentum=0.0 {_LAST}",
            0.5,
            states="mom",
            forms=_BOTH,
        ),
        Update(
            "signsgd_update",
            "{} after one update of SignSGD",
            partial(signum_, momentum=0.0, wd_lh=0.0),
            f"lr {_LAST}",
            0.5,
        ),
        Update(
            "signum_update",
            "{} after one update of Signum",
            signum_,
            f"lr momentum=0.0 {_LAST} wd_lh=0.0",
            0.5,
            states="mom",
        ),
        Update(
            "adam_update",
            "{} after one update of Adam",
            adam_,
            f"lr beta1=0.9 beta2=0.999 epsilon=1e-8 {_LAST} lazy_update=True",
            -0.58,
            states="mean var",
            notes=_UNCORRECTED,
        ),
        Update(
            "adamw_update",
            "{} after one update of AdamW",
            adamw_unless_overflown_,
            "rescale_grad lr eta beta1=0.9 beta2=0.999 epsilon=1e-8 wd=0.0 clip_gradient=-1.0",
            0.84,
            states="mean var",
            forms=_BOTH,
            paths=("_internal._{}", "contrib.{}"),
            own=ADAMW,
            notes="`w - eta * (lr * m / (sqrt(v) + epsilon) + wd * w)`. Nothing changes where "
            "`rescale_grad` is 0, infinite or NaN, as a scale of the loss that ran over makes it. "
            + _UNCORRECTED,
        ),
        Update(
            "ftml_update",
            "{} after one update of FTML",
            ftml_numbered_,
            "* lr t beta1=0.6 beta2=0.999 epsilon=1e-8 wd=0.0 rescale_grad=1.0 clip_grad=-1.0",
            0.5,
            states="d v z",
        ),
        Update(
            "ftrl_update",
            "{} after one update of Ftrl",
            ftrl_,
            f"lr lamda1=0.01 beta=1.0 {_LAST}",
            0.25,
            states="z n",
        ),
        Update(
            "rmsprop_update",
            "{} after one update of RMSProp",
            partial(rmsprop_, gamma2=0.0, centered=False),
            f"lr gamma1=0.95 epsilon=1e-8 {_LAST} clip_weights=-1.0",
            -1.24,
            states="n",
        ),
        Update(
            "rmspropalex_update",
            "{} after one update of centered RMSProp",
            partial(rmsprop_, centered=True),
            f"lr gamma1=0.95 gamma2=0.9 epsilon=1e-8 {_LAST} clip_weights=-1.0",
            -1.29,
            states="n g delta",
        ),
        Update(
            "adagrad_update",
            "{} after one update of AdaGrad, of the rows that the gradient has",
            adagrad_,
            f"lr epsilon=1e-7 {_LAST}",
            0.5,
            states="history",
            paths=("_internal._sparse_{}",),
            own={
                "grad": Argument("Tensor", "Its gradient, with rows; a dense one has all of them")
            },
            expects="arrays of one shape. Pass a history of zeros of the weight's shape",
        ),
        Update(
            "group_adagrad_update",
            "a matrix after one update of GroupAdaGrad",
            group_adagrad_,
            "lr rescale_grad=1.0 clip_gradient=-1.0 epsilon=1e-5",
            0.5,
            states="history",
            paths=("contrib.{}",),
            own={"history": Argument("Tensor", "Sum of mean squares, one for each row")},
        ),
        Update(
            "lamb_update_phase1",
            "the direction of one update of LAMB for {}",
            lamb_numbered,
            "* t wd beta1=0.9 beta2=0.999 epsilon=1e-6 bias_correction=True rescale_grad=1.0 "
            "clip_gradient=-1.0",
            1.5,
            states="mean var",
            forms=_BOTH,
            kept="weight weight32",
        ),
        Update(
            "lamb_update_phase2",
            "{} after a step of LAMB along a direction",
            lamb_along_,
            "lr lower_bound=-1.0 upper_bound=-1.0",
            0.5,
            states="r1 r2",
            forms=_BOTH,
            arrays="weight g",
            kept="r1 r2",
            own={
                "g": ARRAYS["grad"]._replace(meaning="What `lamb_update_phase1` returned"),
                "r1": Argument("Tensor", "Norm of the weight, of shape (1,)"),
                "r2": Argument("Tensor", "Norm of the direction, of shape (1,)"),
            },
        ),
    ),
)
