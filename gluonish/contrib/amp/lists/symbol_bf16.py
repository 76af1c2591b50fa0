"""The lists of operators that mixed precision in bfloat16 reads, in which programs may write."""

from __future__ import annotations

from gluonish.contrib.amp.cards import BFLOAT16, FLOAT32_PARAMETERS, LOSS_OUTPUTS

BF16_FUNCS = sorted(BFLOAT16.low)
FP32_FUNCS = sorted(BFLOAT16.full)
BF16_FP32_FUNCS = sorted(BFLOAT16.either)
WIDEST_TYPE_CASTS = sorted(BFLOAT16.widest)
CONDITIONAL_FP32_FUNCS = list(BFLOAT16.conditions)
LOSS_OUTPUT_FUNCTIONS = list(LOSS_OUTPUTS)
BF16_USE_FP32_PARAMS = {name: [*parameters] for name, parameters in FLOAT32_PARAMETERS.items()}
