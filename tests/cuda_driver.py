"""A driver for tests: launches what torch hands to CUDA's, as C++ that runs thread after thread."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from contextlib import nullcontext
from types import SimpleNamespace

import torch

# What CUDA's C has and C++ lacks; shared memory and barriers are not among it.
_PRELUDE = """
#include <cstdint>
struct Place { unsigned x, y, z; };
static Place threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __device__
"""
_LAUNCH = """
extern "C" void launch(const unsigned *sizes, void **given) {
    gridDim = {sizes[0], sizes[1], sizes[2]};
    blockDim = {sizes[3], sizes[4], sizes[5]};
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
    for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
    for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
        KERNEL(ARGUMENTS);
}
"""


def has_compiler():
    """Return whether C++ can be compiled here."""
    return shutil.which("g++") is not None


class Driver:
    """Takes the launches of torch's kernels, whose memory is the processor's.

    Parameters
    ----------
    folder : Path
        Where to compile.
    signatures : dict of str
        The arguments of each kernel, as its source declares them, by its name.
    """

    def __init__(self, folder, signatures):
        self.folder = folder
        self.signatures = signatures
        self.libraries = []

    def compile(self, source, name, nvcc_options=()):
        """Return a kernel; stands for `torch.cuda._compile_kernel`."""
        kinds = [re.sub(r"\w+$", "", each) for each in self.signatures[name].split(",")]
        arguments = ", ".join(f"*({kind} *)given[{i}]" for i, kind in enumerate(kinds))
        code = _LAUNCH.replace("KERNEL", name).replace("ARGUMENTS", arguments)
        number = len(self.libraries)
        written, library = self.folder / f"{number}.cpp", self.folder / f"{number}.so"
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("#"))
        written.write_text(f"{_PRELUDE}{plain}\n{code}")
        subprocess.run(["g++", "-O1", "-shared", "-fPIC", "-o", library, written], check=True)
        self.libraries.append(ctypes.CDLL(str(library)))
        return torch.cuda._utils._CudaKernel(ctypes.c_void_p(number), ctypes.c_void_p(0))

    def cuLaunchKernel(self, kernel, *rest):  # noqa: N802 - the name is CUDA's
        """Run a kernel: three sizes of the grid, three of a block, shared bytes, stream, memory."""
        *sizes, _, _, given, _ = rest
        self.libraries[kernel.value or 0].launch((ctypes.c_uint * 6)(*sizes), given)
        return 0


def install(monkeypatch, driver):
    """Have torch's launcher find the driver, and take its tensors to be a GPU's."""
    stream = SimpleNamespace(_as_parameter_=ctypes.c_void_p(0))
    monkeypatch.setattr(torch.cuda, "_compile_kernel", driver.compile)
    monkeypatch.setattr(torch.cuda._utils, "_get_gpu_runtime_library", lambda: driver)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: stream)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "device", lambda index: nullcontext())
    monkeypatch.setattr(torch.Tensor, "is_cuda", True, raising=False)
