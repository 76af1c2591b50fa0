"""Programs for iterators, run under the real MXNet for golden values, and by tests."""

from __future__ import annotations

import struct

import numpy as onp

X = onp.arange(20).reshape(10, 2)
Y = onp.arange(10)


def epochs(it, count=3):
    """Return what some epochs give: data, labels and padding of each batch."""
    seen = []
    for _ in range(count):
        for batch in it:
            arrays = [[a.asnumpy().tolist() for a in part] for part in (batch.data, batch.label)]
            seen.append([*arrays, batch.pad])
        seen.append("end")
        it.reset()
    return seen


def described(it):
    """Return names, shapes, dtypes and layouts of data and labels."""
    return [
        [[d.name, list(d.shape), onp.dtype(d.dtype).name, d.layout] for d in descs]
        for descs in (it.provide_data, it.provide_label)
    ]


def cut(**options):
    """Return a program that cuts arrays into batches."""

    def program(mx, _folder):
        onp.random.seed(3)  # noqa: NPY002 - NDArrayIter draws from it
        it = mx.io.NDArrayIter(X, Y, **options)
        return [described(it), epochs(it)]

    return program


def named(mx, _folder):
    """Names of several arrays, and their order."""
    return [
        described(mx.io.NDArrayIter({"b": X, "a": X.astype("float16")}, {"l": X}, 4)),
        described(mx.io.NDArrayIter([X, X * 2], [X, Y], 4)),
        described(mx.io.NDArrayIter([X] * 12, None, 4)),
        described(mx.io.NDArrayIter([X], Y, 4, data_name="q", label_name="z")),
        described(mx.io.NDArrayIter(mx.nd.array(X, dtype="int32"), mx.nd.array(Y), 4)),
        described(mx.io.NDArrayIter({"x": [[1, 2], [3, 4]]}, None, 2)),
        described(mx.io.NDArrayIter(X, None, 4, layout="NT")),
    ]


def by_hand(mx, _folder):
    """The protocol behind `next`, and the cursor."""
    seen = []
    for end in ("pad", "roll_over"):
        it = mx.io.NDArrayIter(X, Y, 4, last_batch_handle=end)
        seen.append([it.cursor, it.num_data, it.batch_size, it.idx.tolist(), it.num_source])
        for _ in range(3):
            seen += [[b.label[0].asnumpy().tolist(), it.cursor, it.getpad()] for b in it]
            seen.append(it.cursor)
            it.reset()
            seen.append(it.cursor)
        it.iter_next()
        seen.append([it.getdata()[0].asnumpy().tolist(), it.getlabel()[0].asnumpy().tolist()])
        it.hard_reset()
        seen.append([it.cursor, it.next().label[0].asnumpy().tolist()])
        it.reset()
        seen.append([it.cursor, it.next().label[0].asnumpy().tolist()])
    return seen


def shuffled_again(mx, _folder):
    """Random orders over epochs, with what rolls over."""
    onp.random.seed(5)  # noqa: NPY002
    it = mx.io.NDArrayIter(X, Y, 4, True, last_batch_handle="roll_over")
    seen = [epochs(it, 4), it.idx.tolist()]
    it.hard_reset()
    return [*seen, it.next().label[0].asnumpy().tolist()]


def write_idx(path, values):
    """Write an IDX file of bytes."""
    head = struct.pack(f">BBBB{values.ndim}I", 0, 0, 8, values.ndim, *values.shape)
    path.write_bytes(head + values.astype("u1").tobytes())


def digits(folder, count=10):
    """Write small files in MNIST's format, and return the arguments that name them."""
    pictures = onp.random.RandomState(0).randint(0, 256, (count, 2, 3))
    write_idx(folder / "images", pictures)
    write_idx(folder / "labels", onp.arange(count))
    return {"image": str(folder / "images"), "label": str(folder / "labels"), "silent": True}


def mnist(**options):
    """Return a program that reads digits."""

    def program(mx, folder):
        it = mx.io.MNISTIter(**digits(folder), **options)
        return [described(it), epochs(it, 2)]

    return program


def many_digits(mx, folder):
    """The random order of many digits."""
    options = digits(folder, 256)
    return [
        [
            batch.label[0].asnumpy().tolist()
            for batch in mx.io.MNISTIter(batch_size=64, shuffle=True, seed=seed, **options)
        ]
        for seed in (0, 10, 12345)
    ]


def parts(mx, folder):
    """Parts of the digits, in order and not."""
    seen = []
    for count, several in ((10, 3), (11, 4), (7, 5)):
        options = digits(folder, count)
        for index in range(several):
            for seed in (None, 3):
                order = {"shuffle": seed is not None, "seed": seed or 0}
                own = {"num_parts": several, "part_index": index, "batch_size": 1}
                it = mx.io.MNISTIter(**options, **own, **order)
                seen.append([int(batch.label[0].asscalar()) for batch in it])
    return seen


def csv(**options):
    """Return a program that reads numbers separated by commas."""

    def program(mx, folder):
        onp.savetxt(folder / "x.csv", onp.arange(42).reshape(7, 6) * 1.5, delimiter=",")
        onp.savetxt(folder / "y.csv", onp.arange(7), fmt="%d")
        onp.savetxt(folder / "y2.csv", onp.arange(14).reshape(7, 2), delimiter=",", fmt="%d")
        onp.savetxt(folder / "i.csv", onp.arange(42).reshape(7, 6) + 2**24, "%d", delimiter=",")
        own = {"data_csv": "x.csv", "data_shape": (6,), "batch_size": 3, **options}
        for name in ("data_csv", "label_csv"):
            if name in own:
                own[name] = str(folder / own[name])
        it = mx.io.CSVIter(**own)
        shown = described(it)
        seen = []
        for _ in range(3):
            for batch in it:
                arrays = [batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()]
                seen.append([*arrays, batch.pad, batch.index.tolist()])
            seen.append("end")
            it.reset()
        return [shown, seen]

    return program


LINES = "1.0 0:0.5 2:1.2\n-2.0\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n5 1:1\n"
LABELS = "0 0:1 2:2\n0 1:3\n0 0:9\n0\n0 2:7\n"


def libsvm(**options):
    """Return a program that reads lines of LibSVM's format."""

    def program(mx, folder):
        (folder / "a.svm").write_text(LINES)
        (folder / "l.svm").write_text(LABELS)
        own = {"data_libsvm": "a.svm", "data_shape": (3,), "batch_size": 2, **options}
        for name in ("data_libsvm", "label_libsvm"):
            if name in own:
                own[name] = str(folder / own[name])
        it = mx.io.LibSVMIter(**own)
        return [described(it), epochs(it, 3)]

    return program


def resized(mx, _folder):
    """Epochs of another length."""
    return [
        epochs(mx.io.ResizeIter(mx.io.NDArrayIter(X, Y, 4), 5), 2),
        epochs(mx.io.ResizeIter(mx.io.NDArrayIter(X, Y, 4), 2, reset_internal=False), 3),
    ]


def prefetched(mx, _folder):
    """Batches made ahead, of one iterator and of two."""
    one = mx.io.PrefetchingIter(mx.io.NDArrayIter(X, Y, 4))
    two = mx.io.PrefetchingIter(
        [mx.io.NDArrayIter(X, Y, 4), mx.io.NDArrayIter(X * 2, Y, 4)],
        rename_data=[{"data": "a"}, {"data": "b"}],
        rename_label=[{"softmax_label": "c"}, {"softmax_label": "d"}],
    )
    return [described(one), epochs(one, 2), described(two), epochs(two, 2), two.batch_size]


PROGRAMS = {
    **{end: cut(batch_size=4, last_batch_handle=end) for end in ("pad", "discard", "roll_over")},
    **{
        f"shuffled_{end}": cut(batch_size=4, shuffle=True, last_batch_handle=end)
        for end in ("pad", "discard", "roll_over")
    },
    "one_by_one": cut(),
    "all_at_once": cut(batch_size=10),
    "more_than_there_are": cut(batch_size=14),
    "many_times": cut(batch_size=40),
    "more_rolls": cut(batch_size=14, last_batch_handle="roll_over"),
    "more_discarded": cut(batch_size=14, last_batch_handle="discard"),
    "named": named,
    "by_hand": by_hand,
    "shuffled_again": shuffled_again,
    "mnist": mnist(batch_size=3, shuffle=False),
    "mnist_flat": mnist(batch_size=3, shuffle=False, flat=True),
    "mnist_shuffled": mnist(batch_size=3, seed=7),
    "mnist_text": mnist(batch_size="3", shuffle="0", flat="True"),
    "mnist_names": mnist(batch_size=5, data_name="d", label_name="l", data_shape=(6,)),
    "many_digits": many_digits,
    "parts": parts,
    "csv": csv(),
    "csv_label": csv(label_csv="y.csv", data_shape=(2, 3)),
    "csv_labels": csv(label_csv="y2.csv", label_shape=(2,)),
    "csv_keep": csv(round_batch=False, label_csv="y.csv"),
    "csv_exact": csv(round_batch=False, batch_size=7),
    "csv_large": csv(batch_size=8),
    "csv_int32": csv(data_csv="i.csv", label_csv="y.csv", dtype="int32"),
    "csv_int64": csv(data_csv="i.csv", dtype="int64"),
    "csv_text": csv(data_shape="(6,)", batch_size="3", round_batch="False"),
    "libsvm": libsvm(),
    "libsvm_labels": libsvm(label_libsvm="l.svm", label_shape=(3,)),
    "libsvm_part_0": libsvm(num_parts=2, part_index=0, batch_size=1),
    "libsvm_part_1": libsvm(num_parts=2, part_index=1, batch_size=1),
    "libsvm_part_2": libsvm(num_parts=3, part_index=1, batch_size=1),
    "resized": resized,
    "prefetched": prefetched,
}
