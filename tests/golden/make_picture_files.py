"""Write the small pictures and files of records in pictures/ that golden programs read.

Run with gluonish and Pillow. The .jpg and .png files beside them came from Pillow 13.0.0.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[2]))

import gluonish as mx
from gluonish.numpy_images.codec import encode

FOLDER = Path(__file__).parent / "pictures"


def writer(name):
    return mx.recordio.MXIndexedRecordIO(FOLDER / f"{name}.idx", FOLDER / f"{name}.rec", "w")


def main():
    random = onp.random.RandomState(5)
    plain, pairs, boxes, ramp = (writer(name) for name in ("plain", "pairs", "boxes", "ramp"))
    lines, box_lines = [], []
    for number in range(7):
        height, width = random.randint(20, 34, 2)
        y, x = onp.mgrid[:height, :width]
        noise = random.randint(0, 256, (height, width, 3)) * 0.2
        picture = (noise + onp.stack([x * 6, y * 6, x + y], -1) * 0.8).astype("u1")
        name = f"{number}.{'jpg' if number % 2 else 'png'}"
        data = encode(picture, 90, name[1:])
        (FOLDER / name).write_bytes(data)
        header = mx.recordio.IRHeader
        plain.write_idx(number * 3, mx.recordio.pack(header(0, number % 4, number * 3, 0), data))
        pair = [number, number + 0.5]
        pairs.write_idx(number, mx.recordio.pack(header(0, pair, number, 0), data))
        lines.append(f"{number * 3}\t{number % 4 + 0.5}\t{name}\n")
        label = [2, 5]
        for kind in range(number % 3 + 1):
            left, top = random.rand(2) * 0.5
            right, bottom = left + 0.2 + random.rand() * 0.3, top + 0.2 + random.rand() * 0.3
            label += [kind, *(round(float(side), 3) for side in (left, top, right, bottom))]
        boxes.write_idx(number, mx.recordio.pack(header(0, label, number, 0), data))
        box_lines.append("\t".join(map(str, [number, *label, name])) + "\n")
    y, x = onp.mgrid[:40, :50]
    for number in range(6):
        picture = onp.stack([x * 5, y * 6, onp.full_like(x, number * 40)], -1).astype("u1")
        data = encode(picture, 9, ".png")
        ramp.write_idx(number, mx.recordio.pack(header(0, number, number, 0), data))
    for file in (plain, pairs, boxes, ramp):
        file.close()
    write_scenes(header)
    (FOLDER / "plain.lst").write_text("".join(lines))
    (FOLDER / "boxes.lst").write_text("".join(box_lines))


def write_scenes(header):
    """Write pictures of squares in colours that do not run into each other, and their boxes."""
    random = onp.random.RandomState(7)
    scenes, headers = writer("scenes"), writer("headers")
    for number in range(6):
        height, width = random.randint(30, 60, 2)
        y, x = onp.mgrid[:height, :width]
        picture = onp.stack([x * 4, y * 4, (x + y) * 2], -1).astype("u1")
        objects = []
        for kind in range(number % 4 + 1):
            left, top = random.rand(2) * 0.6
            right, bottom = left + 0.1 + random.rand() * 0.3, top + 0.1 + random.rand() * 0.3
            sides = [round(float(side), 3) for side in (left, top, right, bottom)]
            columns, rows = (
                slice(*(int(sides[i + j] * n) for j in (0, 2)))
                for i, n in enumerate((width, height))
            )
            picture[rows, columns] = random.randint(0, 256, 3)
            objects.append([kind, *sides])
        data = encode(picture, 9, ".png")
        scene = [2, 5, *(n for row in objects for n in row)]
        scenes.write_idx(number, mx.recordio.pack(header(0, scene, number, 0), data))
        wide = [4, 6, height, width, *(n for row in objects for n in (*row, 0.5))]
        headers.write_idx(number, mx.recordio.pack(header(0, wide, number, 0), data))
    scenes.close()
    headers.close()


main()
