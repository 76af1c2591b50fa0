# prints: net0_dense0_weight ['conv0_weight', 'conv0_bias'] ctx_scope
import mxnet as mx
from mxnet.attribute import AttrScope
from mxnet.name import NameManager, Prefix
from mxnet.gluon import nn

net = nn.Sequential(prefix="net0_")
with net.name_scope():
    net.add(nn.Dense(2, in_units=2, prefix="dense0_"))
with NameManager(), AttrScope(__tag__="ctx_scope"):
    c = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=2, name="conv0")
print(list(net.collect_params())[0], c.list_arguments()[1:], c.attr("__tag__"))
