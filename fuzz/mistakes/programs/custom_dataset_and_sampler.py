"""An own Dataset, an own Sampler and an own batchify function."""

import numpy as np

import gluonish as mx
from gluonish import nd
from gluonish.gluon.data import BatchSampler, DataLoader, Dataset, RandomSampler, Sampler

mx.random.seed(19)
np.random.seed(19)


class SpiralDataset(Dataset):
    def __init__(self, n_points, n_arms=2):
        self.n_points, self.n_arms = n_points, n_arms

    def __len__(self):
        return self.n_points

    def __getitem__(self, idx):
        arm = idx % self.n_arms
        t = idx / self.n_points * 6 + arm * np.pi
        point = np.array([np.cos(t), np.sin(t)], dtype="float32") * (idx / self.n_points)
        return point, np.float32(arm)


class EveryThird(Sampler):
    def __init__(self, length):
        self._length = length

    def __iter__(self):
        return iter(range(0, self._length, 3))

    def __len__(self):
        return (self._length + 2) // 3


spiral = SpiralDataset(100)
ordered = DataLoader(spiral, batch_size=10, sampler=EveryThird(100), last_batch="keep")
print(len(ordered), sum(int(arms.sum().asscalar()) for _, arms in ordered))
batches = BatchSampler(RandomSampler(len(spiral)), 16, "rollover")
stacked = DataLoader(
    spiral, batch_sampler=batches, batchify_fn=lambda b: nd.array([p for p, _ in b])
)
print([chunk.shape[0] for chunk in stacked], len(spiral.take(40)))
