"""Kernels in CUDA's C: what they are given, and what is refused; on a GPU, what they compute."""

from __future__ import annotations

import ctypes
import re
from contextlib import nullcontext

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import rtc
from gluonish.errors import CompileError, ContextError, DTypeError, OperandError
from tests import cuda_driver

GPU = mx.Context("gpu", 0)
AXPY = """
template<typename T>
__global__ void scaled(const T *x, T *y, T alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
}
extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
}
"""


class Recorded:
    """Stands for a compiled kernel: adds to the second array, and keeps what it was given."""

    def __init__(self):
        self.calls = []
        self.shared = None

    def __call__(self, grid, block, args, shared_mem):
        self.calls.append((grid, block, args, shared_mem))
        args[1].add_(args[0])

    def set_shared_memory_config(self, size):
        self.shared = size


@pytest.fixture
def compiled(monkeypatch):
    """Have torch say that there is a GPU, with a compiler that keeps what it is asked."""
    asked = []

    def compile_kernel(source, name, options):
        if name == "absent":
            message = "Kernel compilation failed:\nidentifier is undefined"
            raise RuntimeError(message)
        asked.append((source, name, options, Recorded()))
        return asked[-1][-1]

    monkeypatch.setattr(rtc, "compile_kernel", compile_kernel)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "device", lambda index: nullcontext())
    return asked


def on_gpu(*arrays):
    """Have arrays say that they are on the first GPU."""
    for array in arrays:
        array._ctx = GPU
    return arrays


def test_without_a_gpu_the_module_says_so(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ContextError, match="there is no GPU here.*mx.operator.CustomOp"):
        mx.rtc.CudaModule(AXPY)


def test_kernels_get_arrays_and_numbers_as_their_signature_says(compiled):
    module = mx.rtc.CudaModule(AXPY, "-G", exports=["scaled<float>"])
    assert [each[1:3] for each in compiled] == [("scaled<float>", ["-G"])]
    kernel = module.get_kernel("axpy", "const float *x, float*,\n float alpha, int64_t n, char")
    x, y = on_gpu(mx.nd.ones(3), mx.nd.zeros(3))
    version = y._tensor._version
    kernel.launch([x, y, 3, -5, -2], GPU, [1, 1, 1], (3, 1, 1), shared_mem=50000)
    (grid, block, args, shared) = compiled[-1][-1].calls[0]
    assert (grid, block, shared) == ((1, 1, 1), (3, 1, 1), 50000)
    assert compiled[-1][-1].shared == 50000
    assert ctypes.c_float.from_buffer(ctypes.c_int(args[2])).value == 3
    assert ctypes.c_int64.from_buffer(ctypes.c_double(args[3])).value == -5
    assert ctypes.c_int8.from_buffer(ctypes.c_int(args[4])).value == -2
    assert y._tensor.tolist() == [1, 1, 1]
    assert y._tensor._version > version
    assert x._tensor._version == 0
    kernel.launch([x, y, 3, 5, 2], GPU, (1, 1, 1), (3, 1, 1))
    assert len(compiled) == 2  # once for a device


@pytest.mark.parametrize(
    ("number", "kind", "read"),
    [(1.5, "double", ctypes.c_double), (-7, "int32_t", ctypes.c_int32), (200, "uint8_t",
     ctypes.c_uint8), (onp.float64(0.1), "float", ctypes.c_float), (True, "int", ctypes.c_int)],
)  # fmt: skip
def test_numbers_have_the_bits_that_kernels_read(number, kind, read):
    passed = rtc._number("kernel", 0, number, rtc._argument(f"const {kind} x"))
    given = ctypes.c_double(passed) if isinstance(passed, float) else ctypes.c_int(passed)
    assert read.from_buffer(given).value == read(number).value


@pytest.mark.parametrize(
    ("signature", "kind", "message"),
    [
        ("float **x", ValueError, 'Invalid function prototype "float **x". Must be in the form'),
        ("const const x", ValueError, 'Invalid function prototype "const const x"'),
        ("unsigned int x", ValueError, 'Invalid function prototype "unsigned int x"'),
        ("float x,", ValueError, 'Invalid function prototype ""'),
        ("bool *x", TypeError, "Unsupported kernel argument type bool *x. Supported types are: f"),
    ],
)  # fmt: skip
def test_signatures_are_refused_as_by_mxnet(compiled, signature, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        mx.rtc.CudaModule(AXPY).get_kernel("axpy", signature)


@pytest.mark.parametrize(
    ("args", "ctx", "grid", "block", "message"),
    [
        ("xy3", "cpu", (1, 1, 1), (1, 1, 1), "Cuda kernel can only be launched on GPU"),
        ("xy3", "gpu", (1, 1), (1, 1, 1), "grid_dims must be a tuple of 3 integers"),
        ("xy3", "gpu", (1, 1, 1), (1, 1), "block_dims must be a tuple of 3 integers"),
        ("xy", "gpu", (1, 1, 1), (1, 1, 1), "expects 3 arguments but got 2"),
        ("xyy", "gpu", (1, 1, 1), (1, 1, 1), "The 2-th argument is expected to be a number"),
        ("333", "gpu", (1, 1, 1), (1, 1, 1), "The 0-th argument is expected to be a NDArray"),
    ],
)
def test_launches_are_refused_as_by_mxnet(compiled, args, ctx, grid, block, message):
    kernel = mx.rtc.CudaModule(AXPY).get_kernel("axpy", "const float *x, float *y, float alpha")
    x, y = on_gpu(mx.nd.ones(3), mx.nd.zeros(3))
    given = [{"x": x, "y": y, "3": 3}[each] for each in args]
    with pytest.raises(AssertionError, match=message) as caught:
        kernel.launch(given, mx.Context(ctx, 0), grid, block)
    assert isinstance(caught.value, OperandError)


def test_arrays_of_another_dtype_or_place_and_broken_code_are_refused(compiled):
    module = mx.rtc.CudaModule(AXPY)
    kernel = module.get_kernel("axpy", "const float *x, float *y, float alpha")
    x, y = on_gpu(mx.nd.ones(3, dtype="float16"), mx.nd.zeros(3))
    with pytest.raises(DTypeError, match="is of float16.*x.astype\\('float32'\\)"):
        kernel.launch([x, y, 3], GPU, (1, 1, 1), (1, 1, 1))
    with pytest.raises(ContextError, match="The 0-th argument is on cpu"):
        kernel.launch([mx.nd.ones(3), y, 3], GPU, (1, 1, 1), (1, 1, 1))
    with pytest.raises(CompileError, match=r"(?s)'absent' was not compiled.*is undefined"):
        module.get_kernel("absent", "float x")


MIXED = """
extern "C" __global__ void mixed(double *out, const int8_t *bytes, int64_t *longs, uint8_t small,
                                 int8_t minus, int32_t plain, int64_t large, double fine) {
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * (blockIdx.x + gridDim.x
            * (blockIdx.y + gridDim.y * blockIdx.z)));
    out[i] = bytes[i] + small + minus + plain + fine;
    longs[i] += large + i;
}
"""
SIGNATURES = {
    "axpy": "const float *x, float *y, float alpha",
    "scaled<double>": "const double *x, double *y, double alpha",
    "mixed": "double *out, const int8_t *bytes, int64_t *longs, uint8_t small, int8_t minus,"
    " int32_t plain, int64_t large, double fine",
}


@pytest.mark.skipif(not cuda_driver.has_compiler(), reason="g++ is not installed")
def test_kernels_compute_by_torchs_launcher(monkeypatch, tmp_path):
    cuda_driver.install(monkeypatch, cuda_driver.Driver(tmp_path, SIGNATURES))
    module = mx.rtc.CudaModule(AXPY, exports=["scaled<double>"])
    x, y = on_gpu(mx.nd.ones(10), mx.nd.zeros(10))
    kernel = module.get_kernel("axpy", SIGNATURES["axpy"])
    kernel.launch([x, y, 3.0], GPU, (1, 1, 1), (10, 1, 1))
    kernel.launch([x, y, onp.float32(0.5)], GPU, (2, 1, 1), (2, 1, 1))
    assert y._tensor.tolist() == [3.5] * 4 + [3] * 6
    x, y = on_gpu(mx.nd.ones(4, dtype="float64"), mx.nd.zeros((2, 2), dtype="float64").T)
    kernel = module.get_kernel("scaled<double>", SIGNATURES["scaled<double>"])
    kernel.launch([x, y, 0.1], GPU, (4, 1, 1), (1, 1, 1))
    assert y._tensor.tolist() == [[0.1, 0.1], [0.1, 0.1]]


@pytest.mark.skipif(not cuda_driver.has_compiler(), reason="g++ is not installed")
def test_numbers_of_all_types_arrive_in_a_kernel(monkeypatch, tmp_path):
    cuda_driver.install(monkeypatch, cuda_driver.Driver(tmp_path, SIGNATURES))
    kernel = mx.rtc.CudaModule(MIXED).get_kernel("mixed", SIGNATURES["mixed"])
    out, small = on_gpu(mx.nd.zeros(24, dtype="float64"), mx.nd.arange(24, dtype="int8"))
    (longs,) = on_gpu(mx.nd.zeros(24, dtype="int64"))
    given = [out, small, longs, 200, -3, -70000, 2**40, 0.25]
    kernel.launch(given, GPU, (2, 2, 1), (3, 2, 1))
    assert out._tensor.tolist() == [i + 200 - 3 - 70000 + 0.25 for i in range(24)]
    assert longs._tensor.tolist() == [2**40 + i for i in range(24)]


@pytest.mark.gpu
def test_kernels_compute_on_a_gpu():
    x, y = mx.nd.ones(10, ctx=mx.gpu(0)), mx.nd.zeros(10, ctx=mx.gpu(0))
    module = mx.rtc.CudaModule(AXPY, exports=["scaled<double>"])
    kernel = module.get_kernel("axpy", "const float *x, float *y, float alpha")
    kernel.launch([x, y, 3.0], mx.gpu(0), (1, 1, 1), (10, 1, 1))
    assert y.asnumpy().tolist() == [3] * 10
    x, y = x.astype("float64"), y.astype("float64")
    kernel = module.get_kernel("scaled<double>", "const double *x, double *y, double alpha")
    kernel.launch([x, y, 0.5], mx.gpu(0), (2, 1, 1), (5, 1, 1))
    assert y.asnumpy().tolist() == [3.5] * 10
