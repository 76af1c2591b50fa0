# prints: (5, 3, 12) [(2, 3, 8), (2, 3, 8)]
import mxnet as mx
from mxnet import gluon, autograd
from mxnet.gluon import nn, rnn


class RNNModel(gluon.Block):
    def __init__(self, vocab, embed, hidden, layers, **kwargs):
        super(RNNModel, self).__init__(**kwargs)
        with self.name_scope():
            self.encoder = nn.Embedding(vocab, embed, weight_initializer=mx.init.Uniform(0.1))
            self.rnn = rnn.LSTM(hidden, layers, dropout=0.2, input_size=embed)
            self.decoder = nn.Dense(vocab, in_units=hidden, flatten=False)

    def forward(self, inputs, hidden):
        output, hidden = self.rnn(self.encoder(inputs), hidden)
        return self.decoder(output), hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


model = RNNModel(12, 6, 8, 2)
model.collect_params().initialize(mx.init.Xavier())
hidden = model.begin_state(func=mx.nd.zeros, batch_size=3)
with autograd.record():
    out, hidden = model(mx.nd.arange(15).reshape((5, 3)) % 12, hidden)
gluon.utils.clip_global_norm([p.data() for p in model.collect_params().values()], 10)
print(out.shape, [h.shape for h in hidden])
