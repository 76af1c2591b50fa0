"""Automatic mixed precision: `init`, `init_trainer`, `scale_loss` and `unscale`."""

from __future__ import annotations

from gluonish.contrib.amp.amp import (
    bfloat16,
    convert_hybrid_block,
    convert_model,
    convert_symbol,
    init,
    init_trainer,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
    scale_loss,
    unscale,
)
from gluonish.contrib.amp.loss_scaler import LossScaler

__all__ = [
    "LossScaler",
    "bfloat16",
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "scale_loss",
    "unscale",
]
_UNSTARRED = ("amp",)
