"""Programs with ImageRecordIter, for the real MXNet and for gluonish: each returns arrays."""

from __future__ import annotations

import numpy as onp

CHANGES = {
    "plain": {},
    "mirror": {"mirror": True},
    "random mirror": {"rand_mirror": True},
    "crop": {"rand_crop": True},
    "crop and mirror": {"rand_crop": True, "rand_mirror": True},
    "seeded": {"rand_crop": True, "rand_mirror": True, "seed_aug": 3},
    "resized crop": {"random_resized_crop": True, "max_aspect_ratio": 4 / 3.0,
                     "min_aspect_ratio": 0.75, "max_random_area": 1.0, "min_random_area": 0.08},
    "square crop": {"rand_crop": True, "max_crop_size": 30, "min_crop_size": 15},
    "resize": {"resize": 20},
    "turned at random": {"max_rotate_angle": 30},
    "turned": {"rotate": 20, "fill_value": 7},
    "scale": {"max_random_scale": 1.5, "min_random_scale": 0.6},
    "aspect": {"max_aspect_ratio": 0.4},
    "shear": {"max_shear_ratio": 0.3},
    "border": {"pad": 20, "data_shape": (3, 60, 70)},
    "larger": {"data_shape": (3, 45, 60)},
    "higher": {"data_shape": (3, 45, 30), "rand_crop": True},
    "at most": {"max_img_size": 35.0},
    "at least": {"min_img_size": 55.0},
    "by chance": {"inter_method": 10, "resize": 20},
    "by size": {"inter_method": 9, "resize": 20},
    "brightness": {"brightness": 0.4},
    "contrast": {"contrast": 0.4},
    "saturation": {"saturation": 0.4},
    "colours": {"brightness": 0.4, "contrast": 0.4, "saturation": 0.4},
    "noise": {"pca_noise": 0.1},
    "random numbers": {"max_random_contrast": 0.3, "max_random_illumination": 20, "mean_r": 10,
                       "mean_g": 20, "mean_b": 30, "std_r": 2, "std_g": 3, "std_b": 4,
                       "scale": 0.5, "rand_mirror": True},
    "grey": {"data_shape": (1, 10, 12), "mean_r": 3},
    "bytes": {"dtype": "uint8", "mean_r": 3},
    "signed": {"dtype": "int8", "mean_r": 100, "mean_g": 100},
}  # fmt: skip


def changes(mx, folder):
    out = {}
    for name, options in CHANGES.items():
        options = {"data_shape": (3, 10, 12), **options}
        batches = mx.io.ImageRecordIter(
            path_imgrec=str(folder / "ramp.rec"), batch_size=3, preprocess_threads=1, verbose=False,
            **options,
        )  # fmt: skip
        out[name] = onp.stack([batch.data[0].asnumpy() for batch in batches])
    return out


def passes(mx, folder):
    out = {}
    pairs = {"path_imgrec": str(folder / "pairs.rec"), "label_width": 2}
    indexed = {**pairs, "path_imgidx": str(folder / "pairs.idx")}
    sources = {
        "plain": pairs,
        "shuffled": {**pairs, "shuffle": True},
        "shuffled by index": {**indexed, "shuffle": True, "seed": 5},
        **{f"part {i}": {**pairs, "num_parts": 2, "part_index": i} for i in range(2)},
        **{f"indexed part {i}": {**indexed, "num_parts": 2, "part_index": i} for i in range(2)},
        "listed": {
            "path_imgrec": str(folder / "plain.rec"),
            "path_imglist": str(folder / "plain.lst"),
        },
    }
    for name, source in sources.items():
        batches = mx.io.ImageRecordIter(
            data_shape=(3, 10, 12), batch_size=3, preprocess_threads=1, verbose=False, **source
        )
        found = []
        for _ in range(3):
            for batch in batches:
                label = batch.label[0].asnumpy()
                found.append(label.reshape(3, -1)[:, 0])
            batches.reset()
        out[name] = onp.stack(found)
    return out


PROGRAMS = {"changes": changes, "passes": passes}
