"""`gluonish doctor`: what gluonish runs on."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import sys

import torch

from gluonish.context import num_gpus
from gluonish.version import __version__

__all__ = ["run"]

_EXTRAS = {
    "image": ("PIL", "cv2"),
    "onnx": ("onnx", "onnxruntime", "onnxscript"),
    "remote": ("fsspec", "s3fs"),
    "viz": ("graphviz", "matplotlib"),
}


def run() -> int:
    """Print versions, devices and extras; return the exit status.

    Examples
    --------
    >>> from gluonish.cli import doctor
    >>> doctor.run()
    gluonish ...
    0
    """
    lines = [
        f"gluonish {__version__}",
        f"python {platform.python_version()} on {platform.platform()}",
        *(f"{name} {importlib.metadata.version(name)}" for name in ("torch", "numpy")),
        f"CPU threads {torch.get_num_threads()}",
        *_gpus(),
        *(_extra(name, modules) for name, modules in _EXTRAS.items()),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _gpus() -> list[str]:
    names = [f"gpu({i}) {torch.cuda.get_device_name(i)}" for i in range(num_gpus())]
    return names or ["GPUs none"]


def _extra(name: str, modules: tuple[str, ...]) -> str:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if not missing:
        return f"extra {name} installed"
    return f"extra {name} missing; install it with: pip install 'gluonish[{name}]'"
