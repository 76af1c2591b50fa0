"""Batches that are read and changed at once are those of samples one by one."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np, npx
from gluonish.gluon.data import (
    ArrayDataset,
    DataLoader,
    Dataset,
    SequentialSampler,
    SimpleDataset,
    dataloader,
)
from gluonish.gluon.data.together import read_together
from gluonish.gluon.data.vision import MNISTSample, transforms

PICTURES = onp.random.default_rng(3).integers(0, 256, (11, 5, 4, 3), "uint8")
LABELS = onp.arange(11, dtype="int32") * 3


def pictures(front=nd):
    return front.array(PICTURES, dtype="uint8")


def usual():
    return transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.4, 0.5, 0.6), 0.2)])


TOGETHER = {
    "arrays": lambda: ArrayDataset(pictures(), LABELS),
    "arrays of np": lambda: ArrayDataset(pictures(np), np.array(LABELS)),
    "labels of nd": lambda: ArrayDataset(pictures(), nd.array(LABELS)),
    "arrays of NumPy": lambda: ArrayDataset(PICTURES, LABELS.astype("float16")),
    "turned in memory": lambda: ArrayDataset(onp.asfortranarray(PICTURES), LABELS[::-1]),
    "lists": lambda: ArrayDataset(list(range(11)), [float(i) for i in range(11)]),
    "one array": lambda: ArrayDataset(pictures()),
    "simple": lambda: SimpleDataset(pictures()),
    "on another context": lambda: SimpleDataset(pictures().as_in_context(mx.cpu(1))),
    "with a gradient": lambda: SimpleDataset(_with_gradient()),
    "part": lambda: ArrayDataset(pictures(), LABELS).take(7).shard(2, 1),
    "sampled": lambda: ArrayDataset(pictures(), LABELS).sample(SequentialSampler(5, 3)),
    "to tensor": lambda: ArrayDataset(pictures(), LABELS).transform_first(transforms.ToTensor()),
    "composed": lambda: ArrayDataset(pictures(), LABELS).transform_first(usual()),
    "composed, alone": lambda: SimpleDataset(pictures(np)).transform(usual()),
    "cast": lambda: SimpleDataset(LABELS).transform(transforms.Compose([])),
    "twice": lambda: (
        ArrayDataset(pictures(), LABELS)
        .transform_first(transforms.Cast("float16"))
        .take(9)
        .transform_first(transforms.ToTensor())
    ),
    "digits": lambda: MNISTSample(train=False).transform_first(transforms.ToTensor()).take(11),
}
ONE_BY_ONE = {
    "other function": lambda: ArrayDataset(pictures(), LABELS).transform_first(lambda x: x),
    "whole samples": lambda: ArrayDataset(pictures(), LABELS).transform(lambda x, y: (x, y)),
    "random": lambda: ArrayDataset(pictures(), LABELS).transform_first(
        transforms.Compose([transforms.RandomFlipLeftRight(), transforms.ToTensor()])
    ),
    "two axes": lambda: SimpleDataset(PICTURES[..., 0]).transform(lambda x: x),
    "lists of texts": lambda: SimpleDataset([True, False] * 6),
    "flat array": lambda: SimpleDataset(nd.arange(11)),
    "own dataset": lambda: _Reading(pictures(), LABELS),
    "own transform": lambda: ArrayDataset(pictures(), LABELS).transform_first(_Darker()),
    "own in a row": lambda: ArrayDataset(pictures(), LABELS).transform_first(
        transforms.Compose([transforms.ToTensor(), _Shifted(0.5, 2.0)])
    ),
    "own function of an object": lambda: ArrayDataset(pictures(), LABELS).transform_first(_set()),
    "hook": lambda: ArrayDataset(pictures(), LABELS).transform_first(_hooked()),
    "hook of a composition": lambda: ArrayDataset(pictures(), LABELS).transform_first(
        _hooked(usual())
    ),
    "hook of a run": lambda: ArrayDataset(pictures(), LABELS).transform_first(_hooked_run()),
    "below zero": lambda: ArrayDataset(pictures(), LABELS).sample(SequentialSampler(5, -3)),
    "with a transform": lambda: MNISTSample(False, lambda x, y: (x, y + 1)).take(11),
}


def _with_gradient():
    array = pictures().astype("float32")
    array.attach_grad()
    return array


class _Reading(ArrayDataset):
    def __getitem__(self, position):
        picture, label = super().__getitem__(position)
        return picture, label + 100


class _Darker(transforms.ToTensor):
    def hybrid_forward(self, F, x):
        return super().hybrid_forward(F, x) / 2


class _Shifted(transforms.Normalize):
    def forward(self, x):
        return super().forward(x) + x.shape[0]


def _set():
    transform = transforms.ToTensor()
    transform.forward = lambda x: x * 0
    return transform


def _hooked(transform=None):
    transform = transform or transforms.ToTensor()
    transform.register_forward_hook(lambda *_: CALLS.append(1))
    return transform


def _hooked_run():
    composed = usual()
    composed[0].register_forward_hook(lambda *_: CALLS.append(1))
    return composed


CALLS = []


def batches(dataset, options):
    loader = DataLoader(dataset, 4, **options)
    found = []
    for batch in loader:
        parts = batch if isinstance(batch, list) else [batch]
        assert isinstance(batch, list) == isinstance(dataset[0], tuple)
        found.append([(type(x), x.context, str(x.dtype), x.asnumpy()) for x in parts])
    return found


def assert_same(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert [part[:3] for part in one] == [part[:3] for part in other]
        for (*_, values), (*_, wanted) in zip(one, other, strict=True):
            onp.testing.assert_array_equal(values, wanted)


@pytest.mark.parametrize("has_np", [False, True])
@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("options", [{}, {"num_workers": 1}, {"num_workers": 1, "thread_pool": 1}])
def test_batches_read_together_are_those_of_samples(monkeypatch, name, options, has_np):
    if has_np:
        npx.set_np()
    dataset = TOGETHER[name]()
    if name != "cast":
        assert read_together(dataset, [0, 2, 1]) is not None
    found = batches(dataset, options)
    monkeypatch.setattr(dataloader, "read_together", lambda *_: None)
    assert_same(found, batches(dataset, options))


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_what_a_program_overrides_is_called_for_each_sample(monkeypatch, name):
    dataset = ONE_BY_ONE[name]()
    assert read_together(dataset, [0, 2, 1]) is None
    CALLS.clear()
    mx.random.seed(5)
    found = batches(dataset, {})
    assert len(CALLS) in (0, len(dataset) + len(found))
    monkeypatch.setattr(dataloader, "read_together", lambda *_: None)
    mx.random.seed(5)
    assert_same(found, batches(dataset, {}))


def test_positions_of_other_kinds_are_read_one_by_one():
    class Named(Dataset):
        def __getitem__(self, name):
            return len(name)

        def __len__(self):
            return 2

    assert [x.asnumpy().tolist() for x in DataLoader(Named(), 2, sampler=["a", "bcd"])] == [[1, 3]]
    data = SimpleDataset(onp.arange(5))
    for sampler in ([-1, 0], [onp.int8(4), 2]):
        (batch,) = DataLoader(data, 2, sampler=sampler)
        assert batch.asnumpy().tolist() == [data[position] for position in sampler]
    with pytest.raises(mx.MXNetError, match="cannot be stacked"):  # rows, as NumPy takes them
        list(DataLoader(data, 2, sampler=[True, False]))
    with pytest.raises(IndexError):
        list(DataLoader(data, 2, sampler=[3, 5]))


def test_errors_tell_of_a_sample_and_not_of_the_batch():
    grey = ArrayDataset(nd.zeros((4, 2, 3, 3)), LABELS[:4])
    loader = DataLoader(grey.transform_first(transforms.Normalize(0.5, 0.5)), 2)
    with pytest.raises(mx.MXNetError, match=r"data of shape \(2, 3, 3\) was given"):
        list(loader)


def test_recording_samples_are_read_one_by_one():
    data = SimpleDataset(_with_gradient())
    with mx.autograd.record():
        (batch,) = DataLoader(data, 11)
    assert read_together(data, [1]) is not None
    assert batch.shape == (11, 5, 4, 3)


def test_own_batchify_functions_get_samples():
    data = ArrayDataset(pictures(), LABELS)
    loader = DataLoader(data, 4, batchify_fn=lambda samples: [type(part) for part in samples[0]])
    assert next(iter(loader)) == [nd.NDArray, onp.int32]
