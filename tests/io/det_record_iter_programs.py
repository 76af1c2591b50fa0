"""Programs with ImageDetRecordIter, for the real MXNet and for gluonish: each returns arrays."""

from __future__ import annotations

import numpy as onp

SSD = {
    "rand_crop_prob": 0.9,
    "num_crop_sampler": 5,
    "min_crop_scales": (0.0, 0.3, 0.3, 0.3, 0.3),
    "max_crop_scales": (1.0, 1.0, 1.0, 1.0, 1.0),
    "min_crop_aspect_ratios": (1.0, 0.5, 0.5, 0.5, 0.5),
    "max_crop_aspect_ratios": (1.0, 2.0, 2.0, 2.0, 2.0),
    "min_crop_overlaps": (0.0, 0.1, 0.3, 0.5, 0.7),
    "max_crop_trials": (1, 25, 25, 25, 25),
    "rand_pad_prob": 0.5,
    "max_pad_scale": 3,
    "rand_mirror_prob": 0.5,
}
CHANGES = {
    "plain": {},
    "wide headers": {"name": "headers"},
    "grey": {"data_shape": (1, 10, 12), "mean_r": 3},
    "resized": {"resize": 23},
    "fit": {"resize_mode": "fit", "data_shape": (3, 64, 60), "mean_r": 10},
    "shrunk": {"resize_mode": "shrink", "data_shape": (3, 30, 60)},
    "by size": {"inter_method": 9, "data_shape": (3, 60, 62)},
    "by chance": {"inter_method": 10, "resize": 20},
    "longer labels": {"label_pad_width": 30, "label_pad_value": -7},
    "a mean": {"mean_r": 10, "mean_g": -5, "std_g": 2, "std_b": -3, "scale": 0.5},
    "means below 0": {"mean_r": -10},
    "mirror": {"rand_mirror_prob": 0.5},
    "frame": {"rand_pad_prob": 0.7, "max_pad_scale": 2.5, "fill_value": 9},
    "part": {"rand_crop_prob": 1, "min_crop_scales": 0.3},
    "part that overlaps": {"rand_crop_prob": 1, "min_crop_scales": 0.3, "min_crop_overlaps": 0.3,
                           "crop_emit_mode": "overlap", "emit_overlap_thresh": 0.5},
    "little overlap": {"rand_crop_prob": 1, "min_crop_scales": 0.2, "max_crop_overlaps": 0.2},
    "coverage": {"rand_crop_prob": 1, "min_crop_scales": 0.2, "min_crop_sample_coverages": 0.4,
                 "max_crop_object_coverages": 0.9, "max_crop_trials": 50},
    "covered objects": {"rand_crop_prob": 1, "min_crop_scales": 0.2,
                        "min_crop_object_coverages": 0.9},
    "proportions": {"rand_crop_prob": 0.8, "min_crop_scales": 0.4, "min_crop_aspect_ratios": 0.5,
                    "max_crop_aspect_ratios": 2},
    "three samplers": {"rand_crop_prob": 1, "num_crop_sampler": 3, "min_crop_scales": 0.3,
                       "min_crop_overlaps": (0.1, 0.5, 0.9), "max_crop_trials": (2, 3, 4)},
    "ssd": SSD,
    "contrast": {"max_random_contrast": 0.5, "random_contrast_prob": 0.6},
}  # fmt: skip
COLOURS = {
    "hue": {"max_random_hue": 18, "random_hue_prob": 0.7},
    "saturation": {"max_random_saturation": 32, "random_saturation_prob": 0.7},
    "illumination": {"max_random_illumination": 32, "random_illumination_prob": 0.7},
    "all": {"max_random_hue": 18, "random_hue_prob": 0.5, "max_random_saturation": 32,
            "random_saturation_prob": 0.5, "max_random_illumination": 32, "rand_mirror_prob": 0.5,
            "random_illumination_prob": 0.5, "max_random_contrast": 0.5,
            "random_contrast_prob": 0.5},
}  # fmt: skip


def passes_of(mx, folder, name="scenes", passes=2, **options):
    usual = {"data_shape": (3, 20, 24), "batch_size": 4, "preprocess_threads": 1, "verbose": False}
    path = str(folder / f"{name}.rec")
    batches = mx.io.ImageDetRecordIter(path_imgrec=path, **{**usual, **options})
    found = []
    for _ in range(passes):
        found += [(batch.data[0].asnumpy(), batch.label[0].asnumpy()) for batch in batches]
        batches.reset()
    return [onp.stack(arrays) for arrays in zip(*found, strict=True)]


def detection_changes(mx, folder):
    out = {}
    for name, options in CHANGES.items():
        out[f"{name}/data"], out[f"{name}/label"] = passes_of(mx, folder, **options)
    return out


def detection_colours(mx, folder):
    out = {}
    for name, options in COLOURS.items():
        out[f"{name}/data"], out[f"{name}/label"] = passes_of(mx, folder, **options)
    return out


def detection_orders(mx, folder):
    out = {}
    sources = {
        "shuffled": {"shuffle": True},
        "seeded": {"shuffle": True, "seed": 5},
        "part 0": {"num_parts": 2},
        "part 1": {"num_parts": 2, "part_index": 1},
        "listed": {"name": "boxes", "path_imglist": str(folder / "boxes.lst")},
    }
    for name, options in sources.items():
        out[name] = passes_of(mx, folder, passes=3, batch_size=2, **options)[1]
    return out


PROGRAMS = {
    "detection_changes": detection_changes,
    "detection_colours": detection_colours,
    "detection_orders": detection_orders,
}
