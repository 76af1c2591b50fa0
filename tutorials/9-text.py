# %% [markdown]
# # 9. Train on text
#
# An LSTM reads the help pages that come with Python (`pydoc_data.topics`: the language reference as text), letter by letter,
# and learns to say which letter comes next.
#
# **What you should see:** before training the net is as unsure as if it guessed among all letters; after it, it needs less
# than three bits a letter on pages that it has not read, where letter frequencies alone need more than four. The text it
# writes has words, lines and indentation, and no sense.

# %%
import collections
import math
import pydoc_data.topics

import numpy
from matplotlib import pyplot as plt

import gluonish as mx
from gluonish import autograd, gluon, init, nd
from gluonish.contrib.text.vocab import Vocabulary
from gluonish.gluon import nn, rnn

mx.random.seed(1)
numpy.random.seed(1)

# %% [markdown]
# ## The text
#
# Each letter gets a number. Rare ones share that of "unknown".

# %%
topics = pydoc_data.topics.topics
text = "\n".join(topics[name] for name in sorted(topics))
vocabulary = Vocabulary(collections.Counter(text), min_freq=20)
numbers = numpy.array(vocabulary.to_indices(list(text)))
cut = int(len(numbers) * 0.9)
print(f"{len(text) / 1000:.0f} thousand letters, {len(vocabulary)} different ones")

# %% varies
print(text[2000:2300])

# %% [markdown]
# What knowing only the letters' frequencies is worth, in bits a letter:

# %%
shares = numpy.bincount(numbers) / len(numbers)
frequencies = -(shares[shares > 0] * numpy.log2(shares[shares > 0])).sum()
print(f"guessing {math.log2(len(vocabulary)):.2f}, frequencies {frequencies:.2f}")

# %% [markdown]
# The text is laid out in 32 columns that are read side by side, 50 letters at a time.

# %%
BATCH, STEPS = 32, 50


def columns(numbers):
    length = (len(numbers) - 1) // BATCH
    x = numbers[: length * BATCH].reshape(BATCH, length).T
    y = numbers[1 : length * BATCH + 1].reshape(BATCH, length).T
    for start in range(0, length - STEPS + 1, STEPS):
        yield nd.array(x[start : start + STEPS]), nd.array(y[start : start + STEPS])


# %% [markdown]
# ## The net


# %%
class Writer(gluon.HybridBlock):
    def __init__(self, letters, units, **options):
        super().__init__(**options)
        self.letters = nn.Embedding(letters, 48)
        self.memory = rnn.LSTM(units)
        self.scores = nn.Dense(letters, flatten=False)

    def hybrid_forward(self, F, x, state):
        y, state = self.memory(self.letters(x), state)
        return self.scores(y), state


net = Writer(len(vocabulary), 160)
net.initialize(init.Xavier())
net.hybridize(backend="fx")
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()


def bits(net, numbers):
    """Return what a letter costs, in bits."""
    state, total, count = net.memory.begin_state(BATCH), 0.0, 0
    for x, y in columns(numbers):
        scores, state = net(x, state)
        loss = loss_of(scores.reshape((-1, len(vocabulary))), y.reshape((-1,)))
        total += loss.mean().asscalar()
        count += 1
    return total / count / math.log(2)


print(f"before training: {bits(net, numbers[cut:]):.2f} bits a letter")

# %% [markdown]
# ## The loop
#
# The state goes from one piece of the text to the next; `detach` keeps the gradient from going back forever, and clipping
# keeps it from exploding.

# %%
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
weights = [parameter for parameter in net.collect_params().values() if parameter.grad_req != "null"]
course, judged = [], []
for epoch in range(3):
    state = net.memory.begin_state(BATCH)
    for x, y in columns(numbers[:cut]):
        state = [part.detach() for part in state]
        with autograd.record():
            scores, state = net(x, state)
            loss = loss_of(scores.reshape((-1, len(vocabulary))), y.reshape((-1,))).mean()
        loss.backward()
        gluon.utils.clip_global_norm([weight.grad() for weight in weights], 1)
        trainer.step(1)
        course.append(loss.asscalar() / math.log(2))
    judged.append(bits(net, numbers[cut:]))
    seen = numpy.mean(course[-200:])
    print(f"epoch {epoch + 1}: {seen:.2f} bits a letter, on new pages {judged[-1]:.2f}")

# %%
plt.plot(course, linewidth=0.6, label="pages it learns from")
plt.plot([len(course) // 3 * (i + 1) for i in range(3)], judged, "o", label="new pages")
plt.axhline(frequencies, color="gray", linestyle=":", label="frequencies alone")
plt.xlabel("step")
plt.ylabel("bits a letter")
plt.legend()
print("less than 3 bits on new pages:", judged[-1] < 3)

# %% [markdown]
# ## What it writes
#
# Letters are drawn one after another, as probable as the net says.


# %% varies
def write(start, length):
    state, out = net.memory.begin_state(1), list(start)
    for i in range(len(start) + length - 1):
        scores, state = net(nd.array([[vocabulary.to_indices(out[i])]]), state)
        if i + 1 >= len(start):
            drawn = nd.random.multinomial(nd.softmax(scores[0, 0] / 0.7))
            out.append(vocabulary.to_tokens(int(drawn.asscalar())))
    return "".join(out)


print(write("The ", 400))
