"""Scaled dot-product attention with masked keys."""

import math

import gluonish as mx
from gluonish import np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(2)


def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return npx.softmax(X)
    shape = X.shape
    lens = valid_lens.repeat(shape[1])
    X = npx.sequence_mask(
        X.reshape(-1, shape[-1]), lens, use_sequence_length=True, value=-1e6, axis=1
    )
    return npx.softmax(X).reshape(shape)


class DotProductAttention(nn.Block):
    def __init__(self, dropout, **kwargs):
        super().__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return npx.batch_dot(self.dropout(self.attention_weights), values)


queries = np.random.normal(0, 1, (2, 3, 4))
keys = np.random.normal(0, 1, (2, 10, 4))
values = np.arange(40).reshape(1, 10, 4).repeat(2, axis=0)
attention = DotProductAttention(dropout=0.5)
attention.initialize()
context = attention(queries, keys, values, np.array([2, 6]))
used = (attention.attention_weights[:, 0] > 1e-6).sum()
print(context.shape, "weights used:", int(used), "mean %.2f" % float(context.mean()))
