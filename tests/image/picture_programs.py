"""Programs on pictures, for the real MXNet and for gluonish: each returns arrays by name."""

from __future__ import annotations

import json
import random

import numpy as onp

BATCH = {"batch_size": 3, "data_shape": (3, 10, 12)}
FILES = ("a420.jpg", "a422.jpg", "prog.jpg", "gray.jpg", "cmyk.jpg", "exif6.jpg", "bit.png",
         "la.png", "pal.png")  # fmt: skip


def plain(values):
    return values.asnumpy() if hasattr(values, "asnumpy") else onp.asarray(values)


def seed():
    random.seed(3)
    onp.random.seed(4)  # noqa: NPY002 - MXNet draws from it


def picture(mx, height=30, width=44, dtype="uint8"):
    values = onp.random.RandomState(height).randint(0, 256, (height, width, 3))
    return mx.nd.array(values, dtype=dtype)


def with_state(out):
    drawn = onp.random.rand()  # noqa: NPY002 - MXNet draws from it
    out["random"] = onp.array([random.random(), drawn])
    return {name: plain(value) for name, value in out.items()}


def decoding(mx, folder):
    seed()
    out = {}
    for name in FILES:
        data = (folder / name).read_bytes()
        for flag in (0, 1):
            out[f"{name} {flag}"] = mx.image.imdecode(data, flag)
    out["blue first"] = mx.image.imread(str(folder / "a420.jpg"), to_rgb=False)
    out["16 bits"] = mx.image.imread(str(folder / "rgb16.png"))
    return with_state(out)


def sizes(mx, folder):
    seed()
    image, out = mx.image, {}
    whole, real = picture(mx), picture(mx, dtype="float32")
    for interp in (0, 1, 2, 3, 4, 9):
        for width, height in ((9, 21), (22, 15), (61, 47), (60, 11)):
            out[f"size {interp} {width}"] = image.imresize(whole, width, height, interp % 9)
        out[f"short {interp}"] = image.resize_short(whole, 17, interp)
        out[f"short float {interp}"] = image.resize_short(real, 37, interp)
    for number in range(4):
        size = (17 + number * 9, 11 + number * 6)
        out[f"random {number}"], out[f"random box {number}"] = image.random_crop(
            whole, size, number
        )
        out[f"center {number}"], out[f"center box {number}"] = image.center_crop(whole, size)
        cut = image.random_size_crop(real, (17, 11), (0.1 + number / 5, 1), (0.4, 2.2), 10)
        out[f"sized {number}"], out[f"sized box {number}"] = cut
        cut = image.random_size_crop(whole, (17, 11), 0.5, (0.3, 0.4), 9)
        out[f"long {number}"], out[f"long box {number}"] = cut
        out[f"border {number}"] = image.copyMakeBorder(whole, 3, 2, 5, 4, number)
        out[f"border float {number}"] = image.copyMakeBorder(real, 1, 2, 0, 4, number, 2.5)
    out["colour border"] = image.copyMakeBorder(whole, 3, 2, 5, 4, 16, values=(1, 200.6, 300))
    out["scaled down"] = [
        image.scale_down((640, 480), (720, 120)),
        image.scale_down((3, 5), (7.5, 9)),
    ]
    return with_state(out)


def rotations(mx, folder):
    seed()
    planes = picture(mx, 15, 20, "float32").transpose((2, 0, 1))
    both, out = mx.nd.stack(planes, planes), {}
    for number, (zoom_in, zoom_out) in enumerate([(False, False), (True, False), (False, True)]):
        zoom = {"zoom_in": zoom_in, "zoom_out": zoom_out}
        out[f"one {number}"] = mx.image.imrotate(planes, 35, **zoom)
        out[f"batch {number}"] = mx.image.imrotate(both, mx.nd.array([-100, 60]), **zoom)
        out[f"random {number}"] = mx.image.random_rotate(planes, (-170, 170), **zoom)
        out[f"random batch {number}"] = mx.image.random_rotate(both, (-170, 170), **zoom)
    return with_state(out)


AUGMENTERS = (
    {},
    {"resize": 20, "rand_crop": True},
    {"rand_crop": True, "rand_resize": True, "rand_mirror": True, "mean": True, "std": True},
    {"brightness": 0.1, "contrast": 0.1, "saturation": 0.1, "hue": 0.1, "pca_noise": 0.1,
     "rand_gray": 0.5, "inter_method": 10},
    {"mean": onp.array([1, 2, 3.0]), "std": onp.array([1, 2, 3.0]), "inter_method": 9},
)  # fmt: skip


def augmenters(mx, folder):
    seed()
    image, out = mx.image, {}
    for number, options in enumerate(AUGMENTERS):
        parts = image.CreateAugmenter((3, 9, 11), **options)
        out[f"dumps {number}"] = json.dumps([part.dumps() for part in parts])
        for again in range(4):
            values = picture(mx, 20 + again * 3, 31 - again * 2)
            for part in parts:
                values = part(values)
            out[f"values {number} {again}"] = values
    parts = [
        image.HueJitterAug(0.3),
        image.LightingAug(0.3, onp.array([1.0, 2, 3]), onp.arange(9.0).reshape(3, 3)),
        image.ColorJitterAug(0.4, 0.5, 0.6),
        image.RandomGrayAug(0.3),
        image.SequentialAug([image.ResizeAug(9), image.ForceResizeAug((7, 8))]),
    ]
    mixed = image.RandomOrderAug(parts)
    out["dumps mixed"] = json.dumps(mixed.dumps())
    for again in range(4):
        out[f"mixed {again}"] = mixed(picture(mx, 12 + again, 15, "float32"))
    return with_state(out)


def epochs(out, name, batches, count=2):
    out[f"{name} shapes"] = json.dumps(
        [list(desc) for desc in batches.provide_data + batches.provide_label]
    )
    for epoch in range(count):
        for number, batch in enumerate(batches):
            place = f"{name} {epoch} {number}"
            out[f"{place} data"] = batch.data[0]
            out[f"{place} label"] = batch.label[0]
            out[f"{place} pad"] = batch.pad
        batches.reset()


def image_iter(mx, folder):
    seed()
    out = {}
    record = {"path_imgrec": str(folder / "plain.rec")}
    indexed = {**record, "path_imgidx": str(folder / "plain.idx")}
    listed = {"path_imglist": str(folder / "plain.lst"), "path_root": str(folder)}
    both = {**indexed, "path_imglist": str(folder / "plain.lst")}
    own = [[1, 2, "0.png"], [2.5, 3, "1.jpg"]] * 2
    sources = {
        "record": record,
        "listed": listed,
        "both": both,
        "part": {**indexed, "num_parts": 2, "part_index": 1, "resize": 20},
        "shuffled": {**indexed, "shuffle": True, "rand_crop": True, "rand_mirror": True},
        "shuffled list": {**listed, "shuffle": True, "hue": 0.2, "inter_method": 10},
        "two labels": {"path_imgrec": str(folder / "pairs.rec"), "label_width": 2},
        "own": {"imglist": own, "path_root": str(folder), "label_width": 2},
        "broadcast": {**record, "label_width": 2},
    }
    for name, source in sources.items():
        for end in ("pad", "discard", "roll_over"):
            made = mx.image.ImageIter(last_batch_handle=end, **source, **BATCH)
            epochs(out, f"{name} {end}", made)
    return with_state(out)


def detection(mx, folder):
    seed()
    image, out = mx.image, {}
    record = {"path_imgrec": str(folder / "boxes.rec")}
    listed = {"path_imglist": str(folder / "boxes.lst"), "path_root": str(folder)}
    usual = {"rand_crop": 0.8, "rand_pad": 0.7, "rand_mirror": True, "min_object_covered": 0.2,
             "mean": True, "std": True, "brightness": 0.2, "hue": 0.1, "pca_noise": 0.1,
             "rand_gray": 0.2}  # fmt: skip
    many = {"rand_crop": 1, "min_object_covered": [0.1, 0.5],
            "area_range": [(0.1, 1.0), (0.3, 0.9)], "aspect_ratio_range": (0.5, 2)}  # fmt: skip
    pads = {"rand_pad": 1, "area_range": (0.1, 4.0), "resize": 30, "pad_val": (3, 4, 5)}
    sources = {
        "record": record,
        "listed": listed,
        "usual": {**record, "path_imgidx": str(folder / "boxes.idx"), "shuffle": True, **usual},
        "many": {**record, **many},
        "pads": {**record, "inter_method": 1, **pads},
        "small": {**record, "rand_crop": 1, "min_eject_coverage": 0.7, "area_range": (0.01, 0.3)},
    }
    for name, source in sources.items():
        for end in ("pad", "roll_over"):
            made = image.ImageDetIter(last_batch_handle=end, **source, **BATCH)
            epochs(out, f"{name} {end}", made)
    made, other = (image.ImageDetIter(**record, **BATCH) for _ in range(2))
    made.reshape(label_shape=(5, 5))
    epochs(out, "reshaped", made, 1)
    made.sync_label_shape(other)
    out["shapes"] = [made.label_shape, other.label_shape]
    for number, options in enumerate(({}, usual, many, {"rand_pad": 0.5, "resize": 20})):
        parts = image.CreateDetAugmenter((3, 8, 9), **options)
        out[f"dumps {number}"] = json.dumps([part.dumps() for part in parts])
    return with_state(out)


PROGRAMS = {
    program.__name__: program
    for program in (decoding, sizes, rotations, augmenters, image_iter, detection)
}
