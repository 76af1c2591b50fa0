"""Word vectors by skip-gram with negative samples."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn

mx.random.seed(8)
sentences = ["cats chase mice", "dogs chase cats", "mice eat cheese", "dogs eat meat"]
words = sorted({word for line in sentences for word in line.split()})
index = {word: i for i, word in enumerate(words)}

centers, contexts, targets = [], [], []
for line in sentences:
    ids = [index[word] for word in line.split()]
    for position, center in enumerate(ids):
        around = [i for k, i in enumerate(ids) if k != position]
        others = [i for i in range(len(words)) if i not in ids][:2]
        centers.append([center])
        contexts.append(around + others)
        targets.append([1] * len(around) + [0] * len(others))
center, context, label = nd.array(centers), nd.array(contexts), nd.array(targets)

embed_v = nn.Embedding(input_dim=len(words), output_dim=10)
embed_u = nn.Embedding(input_dim=len(words), output_dim=10)
embeddings = nn.Sequential()
embeddings.add(embed_v, embed_u)
embeddings.initialize(mx.init.Uniform(0.1))
bce = gluon.loss.SigmoidBinaryCrossEntropyLoss()
trainer = gluon.Trainer(embeddings.collect_params(), "adam", {"learning_rate": 0.05})

for epoch in range(30):
    with autograd.record():
        v = embed_v(center)
        u = embed_u(context)
        score = nd.batch_dot(v, nd.swapaxes(u, 1, 2)).reshape(label.shape)
        loss = bce(score, label)
    loss.backward()
    trainer.step(center.shape[0])
vectors = nd.L2Normalization(embed_v.weight.data())
nearest = nd.dot(vectors, vectors[index["cats"]]).argsort(is_ascend=False)
print(
    "loss %.3f, closest to cats is cats: %s"
    % (loss.mean().asscalar(), words[int(nearest[0].asscalar())] == "cats")
)
