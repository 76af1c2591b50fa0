"""`gluonish doctor`: what gluonish runs on, and what to do about what is missing."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
from pathlib import Path
from typing import Final

import torch

from gluonish.context import num_gpus
from gluonish.hybrid.jobs import has_compiler, is_switched_off
from gluonish.hybrid.worker import SECONDS_ALONE
from gluonish.libinfo import __version__
from gluonish.mxnet_import.taking_over import installed_mxnet
from gluonish.viz.picture import HOW_TO_GET_DOT, has_dot

_LIBRARIES = ("torch", "numpy", "safetensors", "tqdm")
EXTRAS: Final = {
    "image": ("pictures: mx.image, image datasets", ("PIL", "cv2")),
    "onnx": ("gluonish convert to ONNX", ("onnx", "onnxruntime", "onnxscript")),
    "python2": ("gluonish run --from-python2", ("fissix",)),
    "remote": ("files behind addresses: s3://, https://", ("fsspec", "s3fs")),
    "sparse": ("SciPy's sparse matrices", ("scipy",)),
    "tensorboard": ("metrics for TensorBoard", ("tensorboard",)),
    "viz": ("mx.viz, gluonish demo's picture", ("graphviz", "matplotlib")),
}


def run() -> int:
    """Print versions, devices, the compiler and extras; return the exit status.

    Examples
    --------
    >>> from gluonish.cli import doctor
    >>> doctor.run()
    gluonish ...
    0
    """
    lines = [
        f"gluonish {__version__} in {Path(__file__).parents[1]}",
        f"python {platform.python_version()} on {platform.platform()}",
        *(f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES),
        _cpu(),
        *_gpus(),
        _compiler(),
        _dot(),
        *(_extra(name, use, modules) for name, (use, modules) in EXTRAS.items()),
        *_mxnet(),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _gpus() -> list[str]:
    names = [
        f"gpu({i}) {torch.cuda.get_device_name(i)}, CUDA {torch.version.cuda}"
        for i in range(num_gpus())
    ]
    if names:
        return names
    if torch.version.cuda is None:
        told = "this torch is built for CPUs. With a GPU, install torch for CUDA: "
        return [f"GPUs none: {told}https://pytorch.org/get-started/locally"]
    told = f"torch is built for CUDA {torch.version.cuda}, and sees no GPU. "
    return [f"GPUs none: {told}See what nvidia-smi says, and CUDA_VISIBLE_DEVICES"]


def _cpu() -> str:
    level = torch.backends.cpu.get_cpu_capability()
    return f"CPU {level}, threads {torch.get_num_threads()} of {os.cpu_count()}"


def _compiler() -> str:
    if is_switched_off():
        return "compiler switched off by GLUONISH_COMPILE=0: hybridized Blocks are replayed"
    if has_compiler():
        return (
            "compiler found: hybridized Blocks are compiled by a process beside the program, which "
            f"may finish up to {SECONDS_ALONE // 60} minutes after it"
        )
    return (
        "compiler missing: hybridized Blocks are replayed, not compiled. Install g++ or clang++ "
        "(Debian: apt install g++; macOS: xcode-select --install), or name one in the variable CXX"
    )


def _dot() -> str:
    if has_dot():
        return "dot found: mx.viz draws networks"
    return f"dot missing: mx.viz describes networks, and draws none. {HOW_TO_GET_DOT}"


def _extra(name: str, use: str, modules: tuple[str, ...]) -> str:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if not missing:
        return f"extra {name} installed ({use})"
    return f"extra {name} missing ({use}); install it with: pip install 'gluonish[{name}]'"


def _mxnet() -> list[str]:
    found = installed_mxnet()
    if found is None:
        return ["mxnet not installed; programs that import it run by: gluonish run program.py"]
    version, place = found
    told = "gives it, but for programs that `gluonish run` starts, or that call as_mxnet()"
    return [f"mxnet {version} in {place}; `import mxnet` {told}"]
