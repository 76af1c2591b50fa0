"""Ask the real MXNet 1.9.1 for the answers of its operators on 8-bit integers.

Run from the repository's root under a Python that has MXNet 1.9.1, on a processor with VNNI, where
sums of products are exact; writes
tests/golden/quantized_ops.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

sys.path.insert(0, str(Path(__file__).parents[1] / "ops" / "quantized"))

import samples_quantized

found = samples_quantized.answers(mx)
text = ",\n".join(f"{json.dumps(row)}: {json.dumps(parts)}" for row, parts in found.items())
Path(__file__).with_name("quantized_ops.json").write_text(f"{{\n{text}\n}}\n")
