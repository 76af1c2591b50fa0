"""The lists of operators that mixed precision in float16 reads, in which programs may write."""

from __future__ import annotations

from gluonish.contrib.amp.cards import FLOAT16, LOSS_OUTPUTS

FP16_FUNCS = sorted(FLOAT16.low)
FP32_FUNCS = sorted(FLOAT16.full)
FP16_FP32_FUNCS = sorted(FLOAT16.either)
WIDEST_TYPE_CASTS = sorted(FLOAT16.widest)
CONDITIONAL_FP32_FUNCS = list(FLOAT16.conditions)
LOSS_OUTPUT_FUNCTIONS = list(LOSS_OUTPUTS)
