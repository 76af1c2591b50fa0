"""`mx.runtime`: which of MXNet's build features this installation has."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, ClassVar

import torch
from typing_extensions import override

from gluonish.errors import UnknownFeatureError

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Self

__all__ = ["Feature", "Features", "feature_list"]


class Feature:
    """A feature, and whether it is there.

    Examples
    --------
    >>> from gluonish.runtime import Feature
    >>> Feature('OPENMP', True)
    ✔ OPENMP
    """

    __slots__ = ("enabled", "name")

    def __init__(self, name: str, enabled: bool) -> None:
        self.name = name
        self.enabled = enabled

    @override
    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def feature_list() -> list[Feature]:
    """Return all of MXNet's features, and which of them PyTorch has here.

    Examples
    --------
    >>> import gluonish as mx
    >>> [feature.enabled for feature in mx.runtime.feature_list() if feature.name == 'CAFFE']
    [False]
    """
    return [Feature(name, enabled) for name, enabled in _found().items()]


class Features(OrderedDict[str, Feature]):
    """The features by their names; the same object each time.

    Examples
    --------
    >>> import gluonish as mx
    >>> features = mx.runtime.Features()
    >>> features.is_enabled('CAFFE'), features['CAFFE']
    (False, ✖ CAFFE)
    """

    instance: ClassVar[Features | None] = None

    def __new__(cls) -> Self:
        """Return the one object there is."""
        if not isinstance(cls.instance, cls):
            cls.instance = super().__new__(cls)
            cls.instance.update((feature.name, feature) for feature in feature_list())
        return cls.instance

    def __init__(self) -> None:
        pass  # it is filled once

    @override
    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Return whether a feature is there.

        Raises
        ------
        UnknownFeatureError
            For a name that MXNet does not have.
        """
        name = feature_name.upper()
        if name not in self:
            msg = f"Features.is_enabled: {feature_name!r} is no feature. "
            msg += f"Expected one of {', '.join(self)}."
            raise UnknownFeatureError(msg)
        return self[name].enabled


def _has(backend: ModuleType) -> bool:
    return bool(backend.is_available())


def _found() -> dict[str, bool]:
    has_cuda = torch.cuda.is_available()
    level = torch.backends.cpu.get_cpu_capability()
    is_x86 = level in ("DEFAULT", "AVX2", "AVX512") and sys.maxsize > 2**32
    has_avx2 = level in ("AVX2", "AVX512")
    is_mkl = _has(torch.backends.mkl)
    return {
        "CUDA": has_cuda,
        "CUDNN": _has(torch.backends.cudnn),
        "NCCL": torch.distributed.is_available() and torch.distributed.is_nccl_available(),
        "CUDA_RTC": False,
        "TENSORRT": False,
        "CPU_SSE": is_x86,
        "CPU_SSE2": is_x86,
        "CPU_SSE3": is_x86,
        "CPU_SSE4_1": has_avx2,
        "CPU_SSE4_2": has_avx2,
        "CPU_SSE4A": False,
        "CPU_AVX": has_avx2,
        "CPU_AVX2": has_avx2,
        "OPENMP": _has(torch.backends.openmp),
        "SSE": is_x86,
        "F16C": has_avx2,
        "JEMALLOC": False,
        "BLAS_OPEN": not is_mkl,
        "BLAS_ATLAS": False,
        "BLAS_MKL": is_mkl,
        "BLAS_APPLE": sys.platform == "darwin",
        "LAPACK": is_mkl or "LAPACK is enabled" in torch.__config__.show(),
        "MKLDNN": _has(torch.backends.mkldnn),
        "OPENCV": False,
        "CAFFE": False,
        "PROFILER": True,
        "DIST_KVSTORE": torch.distributed.is_available(),
        "CXX14": False,
        "INT64_TENSOR_SIZE": True,
        "SIGNAL_HANDLER": False,
        "DEBUG": False,
        "TVM_OP": False,
    }
