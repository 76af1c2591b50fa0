"""Region proposals, made by gluonish or by the real MXNet."""

from __future__ import annotations

from typing import Any

import numpy as onp

OPTIONS = {
    "plain": {},
    "score": {"output_score": True},
    "corners": {"iou_loss": True},
    "few": {"rpn_pre_nms_top_n": 20, "threshold": 0.3, "rpn_post_nms_top_n": 15},
    "large": {"rpn_min_size": 60},
}
COMMON = {
    "scales": (2, 4, 8), "ratios": (0.5, 2), "feature_stride": 16, "rpn_pre_nms_top_n": 50,
    "rpn_post_nms_top_n": 12, "rpn_min_size": 8,
}  # fmt: skip


def run(mx: Any) -> dict[str, onp.ndarray]:  # noqa: ANN401 - a module
    """Return all results."""
    results = {}
    for name in ("Proposal", "MultiProposal"):
        for key, options in OPTIONS.items():
            batch = 1 if name == "Proposal" else 2
            draw = onp.random.RandomState(len(key))
            scores = mx.nd.array(draw.rand(batch, 12, 4, 5))
            offsets = mx.nd.array(draw.randn(batch, 24, 4, 5) * (9 if key == "corners" else 0.2))
            sizes = mx.nd.array([[60, 80, 1.0], [64, 70, 1.5]][:batch])
            function = getattr(mx.nd.contrib, name)
            found = function(scores, offsets, sizes, **{**COMMON, **options})
            parts = found if isinstance(found, (list, tuple)) else [found]
            for index, part in enumerate(parts):
                results[f"{name}_{key}_{index}"] = part.asnumpy()
    return results
