# prints: new 1.9.1 True
import mxnet
from mxnet import base, context, libinfo
from mxnet.base import MXNetError, string_types
from mxnet.context import Context, cpu

major, minor, patch = map(int, mxnet.__version__.split(".")[:3])
assert (major, minor) >= (1, 6)
try:
    mxnet.nd.ones((2, 3)).reshape((7,))
except MXNetError as e:
    caught = e
print(
    "new" if mxnet.__version__ >= "1.5.0" else "old",
    mxnet.__version__,
    isinstance(cpu(), Context)
    and isinstance("x", string_types)
    and isinstance(caught, RuntimeError),
)
