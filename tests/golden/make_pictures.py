"""Write pictures.npz: what the real MXNet gives in the programs of tests/image and of tests/io."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as onp

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "image"), str(HERE.parent / "io")]

import mxnet as mx
from det_record_iter_programs import PROGRAMS as DETECTIONS
from picture_programs import PROGRAMS as PICTURES
from record_iter_programs import PROGRAMS as RECORDS

results = {}
for name, program in {**PICTURES, **RECORDS, **DETECTIONS}.items():
    for key, value in program(mx, HERE / "pictures").items():
        results[f"{name}/{key}"] = value
onp.savez_compressed(HERE / "pictures.npz", **results)
