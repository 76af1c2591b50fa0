"""Classify short texts: a vocabulary, padding, an embedding and a GRU."""

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn, rnn

npx.set_np()
mx.random.seed(171)

good = ["a great film", "what a lovely and warm story", "great acting", "warm and great"]
bad = ["a dull film", "what a boring and cold story", "awful acting", "cold and dull"]
texts = [t.split() for t in good + bad]
vocab = {w: i + 1 for i, w in enumerate(sorted({w for t in texts for w in t}))}


def pad(tokens, length=6):
    ids = [vocab.get(w, 0) for w in tokens][:length]
    return ids + [0] * (length - len(ids))


class TextClassifier(nn.Block):
    def __init__(self, vocab_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, 12)
        self.encoder = rnn.GRU(10, bidirectional=True)
        self.decoder = nn.Dense(2)

    def forward(self, ids):
        outputs = self.encoder(self.embedding(ids.T))
        return self.decoder(np.concatenate((outputs[0], outputs[-1]), axis=1))


X = np.array([pad(t) for t in texts], dtype="int32")
labels = np.array([1] * 4 + [0] * 4)
clf = TextClassifier(len(vocab) + 1)
clf.initialize(mx.init.Xavier())
trainer = gluon.Trainer(clf.collect_params(), "adam", {"learning_rate": 0.03})
ce = gluon.loss.SoftmaxCrossEntropyLoss()
for epoch in range(15):
    with autograd.record():
        l = ce(clf(X), labels)
    l.backward()
    trainer.step(X.shape[0])
new = np.array([pad("a great and warm story".split())], dtype="int32")
print("loss %.2f" % float(l.mean()), "verdict:", int(clf(new).argmax(axis=1)))
