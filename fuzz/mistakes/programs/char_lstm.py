"""A character-level LSTM that learns one sentence by heart."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn

mx.random.seed(1234)
text = "the quick brown fox jumps over the lazy dog. " * 8
vocab = sorted(set(text))
char_to_idx = {c: i for i, c in enumerate(vocab)}
corpus = nd.array([char_to_idx[c] for c in text])
seq_len, batch_size, hidden = 15, 4, 32


class CharRNN(gluon.Block):
    def __init__(self, vocab_size, num_hidden, **kwargs):
        super(CharRNN, self).__init__(**kwargs)
        self.vocab_size = vocab_size
        with self.name_scope():
            self.lstm = rnn.LSTM(num_hidden, num_layers=1, layout="TNC")
            self.decoder = nn.Dense(vocab_size, flatten=False)

    def forward(self, tokens, state):
        embedded = nd.one_hot(tokens.T, self.vocab_size)
        output, state = self.lstm(embedded, state)
        return self.decoder(output), state


model = CharRNN(len(vocab), hidden)
model.initialize(mx.init.Xavier())
trainer = gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.02})
criterion = gluon.loss.SoftmaxCrossEntropyLoss()
rows = corpus[: len(corpus) // batch_size * batch_size].reshape((batch_size, -1))
for epoch in range(4):
    state = model.lstm.begin_state(batch_size=batch_size)
    for t in range(0, rows.shape[1] - seq_len, seq_len):
        state = [s.detach() for s in state]
        with autograd.record():
            output, state = model(rows[:, t : t + seq_len], state)
            loss = criterion(output, rows[:, t + 1 : t + seq_len + 1].T).mean()
        loss.backward()
        gluon.utils.clip_global_norm([p.grad() for p in model.collect_params().values()], 1.0)
        trainer.step(1)
print("perplexity %.2f" % loss.exp().asscalar())
