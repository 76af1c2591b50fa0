# prints: True True True True
import mxnet as mx
import mxnet.gluon as gluon
import mxnet.gluon.nn.conv_layers as conv
import mxnet.gluon.data.vision.transforms as T
import mxnet.symbol as S
from mxnet.ndarray.ndarray import NDArray, array
from mxnet.symbol.symbol import Symbol
from mxnet.image.image import imresize
from mxnet.initializer import Xavier
from mxnet.contrib import amp
from mxnet.io.io import NDArrayIter

print(
    conv.Conv2D is gluon.nn.Conv2D,
    isinstance(S.var("x"), Symbol),
    mx.initializer is mx.init,
    NDArray is mx.nd.NDArray,
)
