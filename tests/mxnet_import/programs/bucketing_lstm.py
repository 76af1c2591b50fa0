# prints: True
import logging
import mxnet as mx
import numpy as np

sentences = [[1, 2, 3, 4], [4, 3, 2], [1, 2], [3, 4, 1, 2, 3]] * 8
buckets = [3, 5]
data_train = mx.rnn.BucketSentenceIter(sentences, 4, buckets=buckets, invalid_label=0)
stack = mx.rnn.SequentialRNNCell()
stack.add(mx.rnn.LSTMCell(num_hidden=6, prefix="lstm_l0_"))


def sym_gen(seq_len):
    data, label = mx.sym.Variable("data"), mx.sym.Variable("softmax_label")
    embed = mx.sym.Embedding(data=data, input_dim=5, output_dim=4, name="embed")
    stack.reset()
    outputs, states = stack.unroll(seq_len, inputs=embed, merge_outputs=True)
    pred = mx.sym.FullyConnected(
        data=mx.sym.Reshape(outputs, shape=(-1, 6)), num_hidden=5, name="pred"
    )
    pred = mx.sym.SoftmaxOutput(data=pred, label=mx.sym.Reshape(label, shape=(-1,)), name="softmax")
    return pred, ("data",), ("softmax_label",)


model = mx.mod.BucketingModule(
    sym_gen=sym_gen, default_bucket_key=data_train.default_bucket_key, context=mx.cpu()
)
metric = mx.metric.Perplexity(0)
model.fit(
    train_data=data_train,
    eval_metric=metric,
    kvstore="device",
    optimizer="sgd",
    optimizer_params={"learning_rate": 0.1},
    initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
    num_epoch=1,
)
print(metric.get()[1] < 10)
