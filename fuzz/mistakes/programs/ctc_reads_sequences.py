"""A bidirectional LSTM reads digit sequences by CTC."""

import gluonish as mx
from gluonish import nd
from gluonish.autograd import record
from gluonish.gluon import Trainer, nn, rnn
from gluonish.gluon.loss import CTCLoss

mx.random.seed(31)

NUM_CLASSES = 4
FRAMES = 12
LABEL_LENGTH = 3


def draw_batch(size):
    labels = nd.random.randint(0, NUM_CLASSES, shape=(size, LABEL_LENGTH)).astype("float32")
    frames = nd.repeat(nd.one_hot(labels, NUM_CLASSES), repeats=FRAMES // LABEL_LENGTH, axis=1)
    return frames + 0.1 * nd.random.normal(shape=frames.shape), labels


reader = nn.HybridSequential()
reader.add(rnn.LSTM(10, layout="NTC", bidirectional=True))
reader.add(nn.Dense(NUM_CLASSES + 1, flatten=False))
reader.initialize(mx.init.Xavier())

ctc = CTCLoss(layout="NTC", label_layout="NT")
opt = Trainer(reader.collect_params(), "adam", {"learning_rate": 0.03})
history = []
for it in range(15):
    frames, labels = draw_batch(16)
    pred_lengths = nd.full((16,), FRAMES)
    label_lengths = nd.full((16,), LABEL_LENGTH)
    with record():
        l = ctc(reader(frames), labels, pred_lengths, label_lengths)
    l.backward()
    opt.step(16)
    history.append(l.mean().asscalar())
print("first loss %.2f" % history[0])
print("getting better:", history[-1] < history[0])
