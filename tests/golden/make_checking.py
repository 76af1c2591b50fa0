"""Writes checking.json: what the real MXNet 1.9.1 gives for calls of `mx.test_utils`.

Run `python tests/golden/make_checking.py` under the real MXNet. Where SciPy is not installed, its
chi-square test is stood in for by the formula for an even number of degrees of freedom.
"""

from __future__ import annotations

import json
import math
import pathlib
import sys
from types import SimpleNamespace

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from checking_programs import run


def chisquare(f_obs, f_exp):
    """Return the statistic, and how probable it, or a larger one, is: three ranges or values."""
    assert len(f_obs) == 3
    statistic = sum((one - two) ** 2 / two for one, two in zip(f_obs, f_exp, strict=True))
    return statistic, math.exp(-statistic / 2)


mx.test_utils.ss = mx.test_utils.ss or SimpleNamespace(chisquare=chisquare)
found = {
    "versions": {"mxnet": mx.__version__, "script": "make_checking.py"},
    "programs": run(mx),
}
for row in found["programs"].values():
    row.pop("errors", None)
rows = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found["programs"].items())
text = f'{{"versions": {json.dumps(found["versions"])}, "programs": {{\n{rows}\n}}}}\n'
(HERE / "checking.json").write_text(text)
