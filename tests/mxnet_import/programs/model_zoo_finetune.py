# prints: (1, 7)
import mxnet as mx
from mxnet.gluon.model_zoo import vision as models
from mxnet.gluon.model_zoo.vision import get_model

pretrained = get_model("mobilenet0.25", classes=10)
finetune = models.mobilenet0_25(classes=7)
finetune.features = pretrained.features
finetune.initialize(mx.init.Xavier())
print(finetune(mx.nd.zeros((1, 3, 32, 32))).shape)
