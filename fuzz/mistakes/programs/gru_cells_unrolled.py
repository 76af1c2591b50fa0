"""GRU cells, unrolled, add up the numbers of a sequence."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn


def make_batch(n, steps):
    sequences = nd.random.uniform(-1, 1, shape=(n, steps, 1))
    return sequences, sequences.sum(axis=1)


def main():
    mx.random.seed(9)
    length = 6
    cell = rnn.HybridSequentialRNNCell()
    cell.add(rnn.GRUCell(12))
    cell.add(rnn.DropoutCell(0.1))
    cell.add(rnn.GRUCell(12))
    head = nn.Dense(1)
    cell.initialize()
    head.initialize()

    params = cell.collect_params()
    params.update(head.collect_params())
    trainer = gluon.Trainer(params, "adam", {"learning_rate": 0.02})
    l1 = gluon.loss.L1Loss()
    for step in range(25):
        seq, target = make_batch(32, length)
        with autograd.record():
            outputs, states = cell.unroll(length, seq, layout="NTC", merge_outputs=False)
            loss = l1(head(outputs[-1]), target)
        loss.backward()
        trainer.step(32)
    print("steps:", len(outputs), "states:", len(states), states[0].shape)
    print("mean error %.3f" % loss.mean().asscalar())


if __name__ == "__main__":
    main()
