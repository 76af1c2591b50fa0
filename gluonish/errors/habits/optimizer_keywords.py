"""Keywords of other libraries' optimizers that ours do not have, and what to do."""

from __future__ import annotations

from typing import Final

_SCHEDULED: Final = (
    "lr_scheduler=mx.lr_scheduler.CosineScheduler(1000, base_lr=0.1), or another of "
    "mx.lr_scheduler, changes the learning rate"
)
_WARMED: Final = (
    "a schedule begins slowly: lr_scheduler=mx.lr_scheduler.CosineScheduler(1000, base_lr=0.1, "
    "warmup_steps=100)"
)
_L1: Final = "Ftrl(lamda1=0.01) is the optimizer with an L1 term; else add it to the loss"
_L2: Final = "wd=0.0001 is the weight of the L2 term"
_CLIPPED: Final = (
    "clip_gradient=1 limits each number of a gradient; gluon.utils.clip_global_norm(grads, 1.0), "
    "before trainer.step, their norm"
)
_AVERAGED: Final = (
    "gluon.MovingAverage(net.collect_params()) keeps an exponential moving average of the weights"
)
_ACCUMULATED: Final = (
    "est.fit(..., accumulate=4) adds up gradients; in a loop of your own, "
    "net.collect_params().setattr('grad_req', 'add') does, and params.zero_grad() after each step"
)
_SCALED: Final = "mx.contrib.amp scales losses, for training in float16"
_GIVEN: Final = "gluon.Trainer(net.collect_params(), optimizer) brings the two together"
_COUNTED: Final = "trainer.step(batch_size) divides by the batch; a schedule counts the updates"
_OTHER_ORDER: Final = "there is no optimizer that searches along lines; 'sgd' and 'adam' are usual"
_FIXED: Final = "the update is as MXNet has it, without that; leave it out"
_OF_EACH: Final = "p.lr_mult = 0.1 and p.wd_mult = 0 are factors of one parameter"
_NO_MOMENTUM: Final = "'sgd' and 'nag' have momentum=0.9; beta1 of 'adam' is much the same"
_OF_ADAM: Final = "beta1, beta2 and epsilon are arguments of 'adam', 'adamw', 'lamb' and the like"

# What is said of a keyword that no argument of the optimizer stands for.
OF_OPTIMIZERS: Final[dict[str, str]] = {
    **dict.fromkeys(("l1", "l1_reg", "l1_regularization", "l1_regularization_strength"), _L1),
    **dict.fromkeys(
        (
            "l2", "l2_reg", "l2_decay", "l2_regularization", "l2_regularization_strength",
            "l2_shrinkage_regularization_strength", "reg", "regularization", "regularizer",
            "weight_decay_rate",
        ),
        _L2,
    ),
    **dict.fromkeys(
        ("clip_norm", "clip_grad_norm", "global_clipnorm", "grad_clip", "gradient_clip_val"),
        _CLIPPED,
    ),
    **dict.fromkeys(("warmup", "warmup_steps", "warmup_ratio", "warmup_init"), _WARMED),
    **dict.fromkeys(
        (
            "decay_rate", "decay_steps", "factor", "final_lr", "fixed_decay", "gamma",
            "initial_lr", "lr_decay", "lr_decay_rate", "milestones", "min_lr", "relative_step",
            "step_size", "T_max", "patience",
        ),
        _SCHEDULED,
    ),
    **dict.fromkeys(("use_ema", "ema_momentum", "ema_decay", "ema_overwrite_frequency"), _AVERAGED),
    **dict.fromkeys(
        ("accumulate", "accumulation_steps", "gradient_accumulation_steps"), _ACCUMULATED
    ),
    **dict.fromkeys(("loss_scale", "loss_scale_factor", "dynamic_loss_scale"), _SCALED),
    **dict.fromkeys(("loss", "model", "net", "parameters", "named_parameters"), _GIVEN),
    **dict.fromkeys(
        ("batch_size", "epochs", "num_steps", "steps", "steps_per_epoch", "total_steps"), _COUNTED
    ),
    **dict.fromkeys(
        ("history_size", "line_search_fn", "max_eval", "max_iter", "tolerance_grad"), _OTHER_ORDER
    ),
    **dict.fromkeys(
        (
            "clip_threshold", "eps_root", "etas", "jit_compile", "learning_rate_power",
            "lookahead", "mu_dtype", "multiplier", "nu", "rectify", "scale_parameter",
            "step_sizes", "t0", "trust_coefficient",
        ),
        _FIXED,
    ),
    **dict.fromkeys(("layer_decay", "no_decay"), _OF_EACH),
    **dict.fromkeys(("mom", "momentum", "momentum_rate", "mu"), _NO_MOMENTUM),
    **dict.fromkeys(
        (
            "adam_beta1", "adam_beta2", "adam_epsilon", "b1", "b2", "beta", "beta1", "beta2",
            "betas", "beta_1", "beta_2", "epsilon", "eps",
        ),
        _OF_ADAM,
    ),
    **dict.fromkeys(("alpha", "gamma1", "gamma2"), "gamma1=0.9 is an argument of 'rmsprop'"),
    "rho": "rho is an argument of 'adadelta', gamma1 of 'rmsprop'",
    "grad_req": "p.grad_req = 'null' freezes a parameter",
    "use_nesterov": "NAG is SGD with Nesterov's momentum: optimizer 'nag'",
    "weight_decouple": "AdamW is Adam with decoupled weight decay",
}  # fmt: skip

# Their keyword, and ours, of those optimizers that have it.
FOR_OPTIMIZERS: Final[dict[str, tuple[str, ...]]] = {
    "adam_beta1": ("beta1",),
    "adam_beta2": ("beta2",),
    "adam_epsilon": ("epsilon",),
    "b1": ("beta1",),
    "b2": ("beta2",),
    "grad_clip": ("clip_gradient",),
    "grad_clip_value": ("clip_gradient",),
    "gradient_clip": ("clip_gradient",),
    "gradient_clip_val": ("clip_gradient",),
    "initial_lr": ("learning_rate",),
    "l1": ("lamda1",),
    "l1_regularization_strength": ("lamda1",),
    "l2": ("wd",),
    "l2_decay": ("wd",),
    "l2_reg": ("wd",),
    "l2_regularization_strength": ("wd",),
    "mom": ("momentum",),
    "mu": ("momentum",),
    "schedule": ("lr_scheduler",),
    "weight_decay_rate": ("wd",),
}
