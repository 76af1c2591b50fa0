"""What tests of MXNet programs use: comparisons, random arrays and the context to test on."""

from __future__ import annotations

from gluonish.test_utils.comparisons import (
    almost_equal,
    assert_allclose,
    assert_almost_equal,
    assert_exception,
    default_atols,
    default_rtols,
    get_atol,
    get_rtol,
    same,
    same_array,
)
from gluonish.test_utils.defaults import (
    default_context,
    default_dtype,
    list_gpus,
    set_default_context,
)
from gluonish.test_utils.drawn_arrays import (
    rand_ndarray,
    rand_shape_2d,
    rand_shape_3d,
    rand_shape_nd,
    rand_sparse_ndarray,
    random_arrays,
)
from gluonish.test_utils.files import (
    DummyIter,
    download,
    download_model,
    get_bz2_data,
    get_cifar10,
    get_mnist,
    get_mnist_iterator,
    get_mnist_ubyte,
    get_zip_data,
)
from gluonish.test_utils.speed import check_speed
from gluonish.test_utils.variables import environment
from gluonish.util import use_np

__all__ = [
    "DummyIter",
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_exception",
    "check_speed",
    "default_atols",
    "default_context",
    "default_dtype",
    "default_rtols",
    "download",
    "download_model",
    "environment",
    "get_atol",
    "get_bz2_data",
    "get_cifar10",
    "get_mnist",
    "get_mnist_iterator",
    "get_mnist_ubyte",
    "get_rtol",
    "get_zip_data",
    "list_gpus",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "rand_sparse_ndarray",
    "random_arrays",
    "same",
    "same_array",
    "set_default_context",
    "use_np",
]
