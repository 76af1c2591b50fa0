"""Checkpoint: its files, which are told when damaged, cleared up, and checked before use."""

from __future__ import annotations

import json
import logging
import resource
import signal
from pathlib import Path

import numpy as onp
import pytest
import torch
from closeness import assert_close
from workers import Workers

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.contrib.amp import amp
from gluonish.errors import (
    DTypeError,
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    ParameterFileError,
    UninitializedParameterError,
)
from gluonish.gluon import nn
from gluonish.gluon.checkpoints import file
from gluonish.serialization import safetensors_format


def built(units=2, ctx=None, optimizer="adam", **options):
    net = nn.Dense(units, in_units=3, prefix="d_")
    net.initialize(mx.init.One(), ctx=ctx)
    return net, gluon.Trainer(net.collect_params(), optimizer, options)


def step(net, trainer):
    with autograd.record():
        losses = [(net(nd.ones((1, 3), ctx=ctx)) ** 2).sum() for ctx in net.weight.list_ctx()]
    autograd.backward(losses)
    trainer.step(1)


def saved(folder, count=1, **options):
    """Return net, trainer and checkpoint after some steps, each of which is saved."""
    net, trainer = built(**options)
    checkpoint = gluon.Checkpoint(folder, net, trainer)
    for epoch in range(count):
        step(net, trainer)
        checkpoint.save(epoch=epoch)
    return net, trainer, checkpoint


def weight(net):
    return net.weight.data(net.weight.list_ctx()[0]).asnumpy()


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def truncated(path):
    path = Path(path)
    path.write_bytes(path.read_bytes()[:-100])


def flipped(path):
    data = bytearray(Path(path).read_bytes())
    data[-50] ^= 1
    Path(path).write_bytes(data)


def emptied(path):
    Path(path).write_bytes(b"")


def test_there_may_be_no_checkpoint_yet(tmp_path):
    checkpoint = gluon.Checkpoint(tmp_path / "a" / "b", *built())
    assert checkpoint.restore() is None
    assert checkpoint.latest() is None
    assert checkpoint.paths() == []
    assert list(checkpoint.epochs(2)) == [0, 1]
    assert not (tmp_path / "a").exists()
    assert checkpoint.save() == str(tmp_path / "a" / "b" / "checkpoint-00000001.safetensors")


def test_values_of_your_own_come_back(tmp_path):
    checkpoint = gluon.Checkpoint(tmp_path, *built())
    best = {"accuracy": onp.float32(0.5), "classes": ["a", "b"], "none": None}
    path = checkpoint.save(epoch=4, batch=7, best=best, seen=onp.int64(3))
    found = checkpoint.restore()
    assert found.path == path == checkpoint.latest()
    assert (found.epoch, found.batch, found.next_epoch, found.damaged) == (4, 7, 4, ())
    assert found.values == {"best": {**best, "accuracy": 0.5}, "seen": 3}
    checkpoint.save(epoch=4)
    assert checkpoint.restore().next_epoch == 5
    assert list(checkpoint.epochs(7)) == [5, 6]
    checkpoint.save()
    assert checkpoint.restore().epoch == 6
    for bad in (nd.ones((2,)), object(), {1, 2}):
        with pytest.raises(DTypeError, match=r"Checkpoint.save: values loss: .*Convert the"):
            checkpoint.save(loss=bad)


@pytest.mark.parametrize("keep", [1, 3, None])
def test_only_the_last_ones_are_kept(keep, tmp_path):
    net, trainer = built()
    (tmp_path / "checkpoint-notes.txt").write_text("mine")
    checkpoint = gluon.Checkpoint(tmp_path, net, trainer, keep=keep)
    for epoch in range(5):
        checkpoint.save(epoch=epoch)
    numbers = range(1 if keep is None else 6 - keep, 6)
    expected = [f"checkpoint-{number:08d}.safetensors" for number in numbers]
    assert names(tmp_path) == [*expected, "checkpoint-notes.txt"]


@pytest.mark.parametrize("damage", [truncated, flipped, emptied])
def test_the_one_before_a_damaged_one_is_used_and_said(damage, tmp_path, caplog):
    net, _, checkpoint = saved(tmp_path, 3)
    expected = weight(net)
    checkpoint.restore(checkpoint.paths()[1])
    second = weight(net)
    damage(checkpoint.paths()[2])
    with caplog.at_level(logging.WARNING):
        found = checkpoint.restore()
    assert found.path == checkpoint.paths()[1]
    assert found.damaged == (checkpoint.paths()[2],)
    assert checkpoint.paths()[2] in caplog.text
    assert weight(net).tolist() == second.tolist() != expected.tolist()
    with pytest.raises(FileFormatError, match="checkpoint-00000003"):
        checkpoint.restore(checkpoint.paths()[2])
    for path in checkpoint.paths()[:2]:
        damage(path)
    with pytest.raises(FileFormatError, match="all 3 files are damaged, the log says how"):
        checkpoint.restore()
    if damage is not flipped:
        assert checkpoint.latest() is None


def test_damaged_ones_do_not_count_among_those_that_are_kept(tmp_path):
    _, _, checkpoint = saved(tmp_path, 3)
    for path in checkpoint.paths()[1:]:
        truncated(path)
    checkpoint.save(epoch=3)
    assert len(names(tmp_path)) == 4  # the first is the only other one that is whole
    assert checkpoint.restore().epoch == 3
    checkpoint.save(epoch=4)
    checkpoint.save(epoch=5)
    assert names(tmp_path) == [f"checkpoint-{n:08d}.safetensors" for n in (4, 5, 6)]


def test_a_file_that_can_not_be_removed_is_no_error(tmp_path, monkeypatch, caplog):
    _, _, checkpoint = saved(tmp_path, 3)

    def refuse(path):
        msg = f"{path} stays"
        raise FileAccessError(msg)

    monkeypatch.setattr("gluonish.gluon.checkpoints.checkpoint.remove", refuse)
    checkpoint.save(epoch=3)
    assert "An old checkpoint stays: " in caplog.text
    assert len(names(tmp_path)) == 4


def test_foreign_files_are_refused(tmp_path):
    _, _, checkpoint = saved(tmp_path, 1)
    path = checkpoint.paths()[0]
    with pytest.raises(MissingFileError, match="nowhere"):
        checkpoint.restore(tmp_path / "nowhere")
    description, tensors = file.read(path)
    with Path(path).open("wb") as stream:
        safetensors_format.write(stream, {"a": torch.ones(1)})
    with pytest.raises(FileFormatError, match="it is no checkpoint of a training. Expected a file"):
        checkpoint.restore(path)
    for change, problem in {
        "version": "it was written by another version of the program",
        "random": "its description is damaged",
        "nets": "its description is damaged",
    }.items():
        changed = {key: value for key, value in description.items() if key != "version"}
        changed[change] = [[["a"]]] if change == "nets" else 7
        file.write(path, changed, tensors)
        with pytest.raises(FileFormatError, match=problem):
            checkpoint.restore(path)
    for order in ([0], [0, 0], [0, "a"], 3):
        changed = json.loads(json.dumps({**description, "version": 1}))
        changed["trainers"][0][1]["order"] = order
        file.write(path, changed, tensors)
        with pytest.raises(FileFormatError, match="its description is damaged"):
            checkpoint.restore(path)
    texts = {"gluonish.checkpoint": "{", "gluonish.crc32": f"{file._checksum('{', {}):08x}"}
    with Path(path).open("wb") as stream:
        safetensors_format.write(stream, {}, texts)
    with pytest.raises(FileFormatError, match="its description is damaged"):
        checkpoint.restore(path)


def test_another_net_is_refused_and_nothing_changes(tmp_path):
    saved(tmp_path, 2)
    net, trainer = built(units=4)
    step(net, trainer)
    before, draws = weight(net), onp.random.get_state()[1].copy()  # noqa: NPY002
    with pytest.raises(ParameterFileError) as caught:
        gluon.Checkpoint(tmp_path, net, trainer).restore()
    text = str(caught.value)
    assert "they do not fit together, nothing was changed" in text
    assert "'weight' is (2, 3) in the file and (4, 3) here" in text
    assert weight(net).tolist() == before.tolist()
    assert (onp.random.get_state()[1] == draws).all()  # noqa: NPY002
    net, trainer = built()
    net.cast("float16")
    with pytest.raises(ParameterFileError, match="'bias' is float32 in the file and float16 here"):
        gluon.Checkpoint(tmp_path, net, trainer).restore()
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    with pytest.raises(ParameterFileError, match="only in the file; .* is only in the Block"):
        gluon.Checkpoint(tmp_path, net, gluon.Trainer(net.collect_params(), "adam")).restore()


def test_another_optimizer_is_refused_and_nothing_changes(tmp_path):
    saved(tmp_path, 2)
    net, trainer = built(optimizer="sgd")
    with pytest.raises(ParameterFileError, match="those of optimizer 'Adam'. Expected those of"):
        gluon.Checkpoint(tmp_path, net, trainer).restore()
    assert weight(net).tolist() == onp.ones((2, 3)).tolist()
    with pytest.raises(InvalidArgumentError, match=r"it holds trainers \['0'\], here are \[\]"):
        gluon.Checkpoint(tmp_path, net).restore()


def test_the_scale_of_losses_is_in_both_or_in_none(tmp_path):
    saved(tmp_path, 1)
    net, trainer = built()
    amp.init()
    try:
        amp.init_trainer(trainer)
        with pytest.raises(ParameterFileError, match="the training was without a scale of losses"):
            gluon.Checkpoint(tmp_path, net, trainer).restore()
        checkpoint = gluon.Checkpoint(tmp_path, net, trainer)
        trainer._amp_loss_scaler._next_loss_scale = 32.0
        checkpoint.save()
        trainer._amp_loss_scaler._next_loss_scale = 64.0
        checkpoint.restore()
        assert trainer._amp_loss_scaler._next_loss_scale == 32.0
        with pytest.raises(ParameterFileError, match="the training was with a scale of losses"):
            gluon.Checkpoint(tmp_path, *built()).restore()
    finally:
        amp._reset()


def test_parameters_without_values_can_not_be_saved(tmp_path):
    net = nn.Dense(2, in_units=3)
    checkpoint = gluon.Checkpoint(tmp_path / "x", net)
    with pytest.raises(UninitializedParameterError):
        checkpoint.save()
    assert not (tmp_path / "x").exists()


def test_nets_that_know_no_shapes_yet_are_restored(tmp_path):
    first, _, _ = saved(tmp_path, 2)
    net = nn.Dense(2, prefix="d_")
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "adam")
    gluon.Checkpoint(tmp_path, net, trainer).restore()
    assert weight(net).tolist() == weight(first).tolist()
    assert trainer.optimizer.num_update == 2


def test_shared_parameters_are_saved_once(tmp_path):
    net = nn.HybridSequential()
    first = nn.Dense(3, in_units=3)
    net.add(first, nn.Dense(3, in_units=3, params=first.params))
    net.initialize()
    checkpoint = gluon.Checkpoint(tmp_path, net)
    path = checkpoint.save()
    assert [name for name in file.read(path)[1] if name.startswith("net/")] == [
        "net/0/0.weight@0",
        "net/0/0.bias@0",
    ]
    kept = first.weight.data().asnumpy()
    first.weight.set_data(nd.zeros((3, 3)))
    checkpoint.restore()
    assert first.weight.data().asnumpy().tolist() == kept.tolist()


@pytest.mark.parametrize("kind", [list, dict])
def test_several_nets_and_trainers_go_together(kind, tmp_path):
    pairs = [built(), built(units=3, optimizer="sgd", momentum=0.5)]
    nets, trainers = zip(*pairs, strict=True)
    labels = ["maker", "judge"]
    given = [dict(zip(labels, one, strict=True)) if kind is dict else list(one)
             for one in (nets, trainers)]  # fmt: skip
    checkpoint = gluon.Checkpoint(tmp_path, *given)
    for pair in pairs:
        step(*pair)
    checkpoint.save()
    kept = [weight(net).tolist() for net in nets]
    for pair in pairs:
        step(*pair)
    checkpoint.restore()
    assert [weight(net).tolist() for net in nets] == kept
    assert [trainer.optimizer.num_update for trainer in trainers] == [1, 1]


def test_arguments_are_checked(tmp_path):
    net, trainer = built()
    with pytest.raises(DTypeError, match="Checkpoint: net=3 was given. Expected a Block, or a li"):
        gluon.Checkpoint(tmp_path, 3, trainer)
    with pytest.raises(DTypeError, match="trainer=.* was given. Expected a Trainer, or a list or"):
        gluon.Checkpoint(tmp_path, net, [net])
    for keep in (0, "3"):
        with pytest.raises(InvalidArgumentError, match="keep=.* was given. Expected a number of"):
            gluon.Checkpoint(tmp_path, net, trainer, keep=keep)


@pytest.mark.parametrize("now", [1, 3])
def test_a_checkpoint_of_two_contexts_serves_other_numbers(now, tmp_path):
    first, trainer, checkpoint = saved(tmp_path, 2, ctx=[mx.cpu(0), mx.cpu(1)])
    first.bias.list_data()[1][:] += 2  # as running statistics differ
    checkpoint.save()
    net, trainer = built(ctx=[mx.cpu(i) for i in range(now)])
    gluon.Checkpoint(tmp_path, net, trainer).restore()
    mean = sum(array.asnumpy() for array in first.bias.list_data()) / 2
    for array in net.bias.list_data():
        assert_close(array.asnumpy(), mean)
    step(net, trainer)


def test_stores_of_another_class_keep_their_states(tmp_path):
    class Store(mx.kv.KVStore):
        pass

    def with_store():
        net, _ = built(ctx=[mx.cpu(0), mx.cpu(1)])
        return net, gluon.Trainer(net.collect_params(), "adam", kvstore=Store("device"))

    pairs = [with_store() for _ in range(2)]
    checkpoints = [gluon.Checkpoint(tmp_path, *pair) for pair in pairs]
    for _ in range(2):
        step(*pairs[0])
    checkpoints[0].save()
    checkpoints[1].restore()
    for pair in pairs:
        step(*pair)
    assert weight(pairs[0][0]).tolist() == weight(pairs[1][0]).tolist()
    with pytest.raises(ParameterFileError, match="a store of another class updated the weights"):
        gluon.Checkpoint(tmp_path, *built()).restore()


def test_urls_serve_as_folders():
    net, trainer, checkpoint = saved("memory://runs/one", 5)
    paths = [f"memory://runs/one/checkpoint-{n:08d}.safetensors" for n in (3, 4, 5)]
    assert checkpoint.paths() == paths
    kept = weight(net).tolist()
    step(net, trainer)
    assert gluon.Checkpoint("memory://runs/one/", net, trainer).restore().path == paths[-1]
    assert weight(net).tolist() == kept


def test_iterators_without_a_place_are_refused(tmp_path):
    checkpoint = gluon.Checkpoint(tmp_path, *built())
    loader = gluon.data.DataLoader([1, 2], 1, auto_reload=True)
    with pytest.raises(InvalidArgumentError, match="a DataLoader with auto_reload=True was given"):
        next(checkpoint.batches(loader))
    loader.clean()
    resized = mx.io.ResizeIter(mx.io.NDArrayIter(nd.ones((2,))), 3)
    with pytest.raises(InvalidArgumentError, match="ResizeIter was given, whose place can't be sa"):
        next(checkpoint.batches(resized))
    batches = mx.io.NDArrayIter(nd.ones((2,)))
    with pytest.raises(InvalidArgumentError, match="a place among 3 samples was given, here are 2"):
        batches.set_state(mx.io.NDArrayIter(nd.ones((3,))).get_state())


def test_any_iterable_may_give_batches(tmp_path):
    checkpoint = gluon.Checkpoint(tmp_path, *built())
    for batch in checkpoint.batches([10, 20, 30]):
        if batch == 20:
            checkpoint.save(epoch=0)
            break
    assert checkpoint.restore().batch == 2
    assert list(checkpoint.batches([10, 20, 30])) == [30]
    assert list(checkpoint.batches([10, 20, 30])) == [10, 20, 30]
    checkpoint.save(epoch=0)
    assert checkpoint.restore().batch is None


def test_a_full_disk_leaves_what_was_there(tmp_path):
    _, _, checkpoint = saved(tmp_path, 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(FileAccessError, match="checkpoint-00000002"):
            checkpoint.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert names(tmp_path) == ["checkpoint-00000001.safetensors"]
    assert checkpoint.restore().epoch == 0


KILLED = """
import sys
import gluonish as mx
net = mx.gluon.nn.Dense(200, in_units=200)
net.initialize()
checkpoint = mx.gluon.Checkpoint(sys.argv[1], net, keep=2)
count = 0
while True:
    net.weight.set_data(mx.nd.full((200, 200), count))
    net.bias.set_data(mx.nd.full((200,), count))
    checkpoint.save(epoch=count)
    if count == 2:
        print("begun", flush=True)
    count += 1
"""


def test_a_writer_that_is_killed_leaves_a_whole_checkpoint(tmp_path):
    with Workers(1, KILLED, [tmp_path]) as workers:
        workers.wait_for(0, "begun\n")
        workers.kill(0)
        assert workers.finish()[0].code == -signal.SIGKILL
    net = nn.Dense(200, in_units=200)
    found = gluon.Checkpoint(tmp_path, net).restore()
    assert found.damaged == ()
    assert found.epoch >= 2
    assert {*net.weight.data().asnumpy().ravel(), *net.bias.data().asnumpy()} == {found.epoch}


def test_values_that_no_file_holds_are_refused():
    from gluonish.gluon.checkpoints.values import decode, encode

    with pytest.raises(DTypeError, match="Checkpoint: 'a.0' is of type object. Expected numbers"):
        encode([object()], {}, "a")
    tensors = {}
    kept = {"a": (1, None, [nd.ones((2,)), onp.uint32(3)]), 2: onp.arange(3, dtype="uint32")}
    found = decode(json.loads(json.dumps(encode(kept, tensors, "x"))), tensors)
    assert found["a"][:2] == (1, None)
    assert found["a"][2][0].tolist() == [1, 1]
    assert found["a"][2][1] == 3
    assert found[2].dtype == "uint32"
    deep = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(deep, {})
