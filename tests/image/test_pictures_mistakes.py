"""Pictures: what is refused, and what the messages say; classes and modes of results."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import errors, image

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"
BATCH = {"batch_size": 2, "data_shape": (3, 8, 8)}
BOX = [2, 5, 0, 0.1, 0.1, 0.5, 0.5]


def white(*shape, dtype="uint8"):
    return mx.nd.ones(shape or (6, 8, 3), dtype=dtype)


REFUSED = {
    "image.imdecode: str was given. Expected bytes": lambda: image.imdecode("text"),
    "image.imdecode: no bytes are there": lambda: image.imdecode(b""),
    "Decoding failed, 3 bytes that begin with b'abc'\\. Expected a whole picture": lambda: (
        image.imdecode(b"abc")
    ),
    "flag=-1 was given. Expected 1 for colours": lambda: image.imdecode(b"abc", flag=-1),
    "there is no .*none.png|none.png.*Expected an existing": lambda: image.imread(
        FOLDER / "none.png"
    ),
    "out of shape \\(2, 2, 3\\) was given": lambda: image.imread(
        FOLDER / "0.png", out=white(2, 2, 3)
    ),
    "image.imresize: numpy.ndarray was given. Expected an NDArray": lambda: image.imresize(
        onp.ones((2, 2, 3)), 1, 1
    ),
    "data of shape \\(2, 2\\) was given. Expected \\(height": lambda: image.imresize(
        white(2, 2), 1, 1
    ),
    "a picture of dtype int32 was given": lambda: image.imresize(white(dtype="int32"), 1, 1),
    "image.imresize: w=0 was given. Expected 1 or more": lambda: image.imresize(white(), 0, 1),
    "Unknown interp method 7": lambda: image.imresize(white(), 1, 1, 7),
    "interp=9: sizes=\\(1, 2\\) was given": lambda: image.image._get_interp_method(9, (1, 2)),
    "x0=-1, y0=0, w=2, h=2 were given": lambda: image.fixed_crop(white(), -1, 0, 2, 2),
    "unexpected keyword arguments for `random_size_crop`: \\['x'\\]": lambda: (
        image.random_size_crop(white(), (2, 2), 0.5, (1, 2), x=1)
    ),
    "type=5 were given. Expected widths": lambda: image.copyMakeBorder(white(), 1, 1, 1, 1, 5),
    "top=-1, bot=1": lambda: image.copyMakeBorder(white(), -1, 1, 1, 1),
    "was given for 3 channels": lambda: image.copyMakeBorder(white(), 1, 1, 1, 1, values=(1, 2)),
    "cannot be both True": lambda: image.imrotate(white(dtype="float32"), 1, True, True),
    "Only `float32` images": lambda: image.imrotate(white(), 1),
    "Only 3D and 4D": lambda: image.imrotate(white(2, 2, dtype="float32"), 1),
    "required to be a scalar": lambda: image.imrotate(white(dtype="float32"), [1, 2]),
    "number of images must be equal": lambda: image.imrotate(
        white(2, 3, 4, 4, dtype="float32"), [1]
    ),
    "angle_limits=30 was given": lambda: image.random_rotate(white(dtype="float32"), 30),
    "color_normalize: a picture of dtype": lambda: image.color_normalize(white(), 1),
    "color_normalize: list was given": lambda: image.color_normalize([1], 1),
    "HueJitterAug: a picture of shape \\(4, 4, 1\\)": lambda: image.HueJitterAug(0.1)(
        white(4, 4, 1, dtype="float32")
    ),
    "Must override implementation": lambda: image.Augmenter()(white()),
    "rand_resize=True was given without rand_crop": lambda: image.CreateAugmenter(
        (3, 8, 8), rand_resize=True
    ),
    "mean=\\[1, 2, 3\\] was given. Expected True": lambda: image.CreateAugmenter(
        (3, 8, 8), mean=[1, 2, 3]
    ),
    "no samples were given": lambda: image.ImageIter(**BATCH),
    "uint8 label not supported": lambda: image.ImageIter(imglist=[], dtype="uint8", **BATCH),
    "data_shape should have length 3": lambda: image.ImageIter(2, (1, 8, 8), imglist=[]),
    "batch_size=0 was given": lambda: image.ImageIter(0, (3, 8, 8), imglist=[]),
    "last_batch_handle='x' was given": lambda: image.ImageIter(
        imglist=[], last_batch_handle="x", **BATCH
    ),
    "given without path_imgidx": lambda: image.ImageIter(
        path_imgrec=FOLDER / "plain.rec", shuffle=True, **BATCH
    ),
    "part_index=2 was given with num_parts=2": lambda: image.ImageIter(
        imglist=[[1, "a"]], num_parts=2, part_index=2, **BATCH
    ),
    "its label has shape \\(2,\\). Expected \\(\\)": lambda: image.ImageIter(
        path_imgrec=FOLDER / "pairs.rec", **BATCH
    ).next(),
    "its picture has shape": lambda: image.ImageIter(
        path_imgrec=FOLDER / "plain.rec", aug_list=[], **BATCH
    ).next(),
    "Broken image, file 'plain.lst': image.imdecode: Decoding failed": lambda: image.ImageIter(
        imglist=[[1, "plain.lst"]], path_root=FOLDER, **BATCH
    ).next(),
    "which path_imglist does not list": lambda: image.ImageIter(
        path_imgrec=FOLDER / "pairs.rec",
        path_imgidx=FOLDER / "pairs.idx",
        path_imglist=FOLDER / "plain.lst",
        **BATCH,
    ).next(),
    "Borrowing from invalid Augmenter": lambda: image.DetBorrowAug(3),
    "Allow DetAugmenter in list only": lambda: image.DetRandomSelectAug([image.CastAug()]),
    "label of type ndarray. Must override": lambda: image.DetAugmenter()(
        white(), onp.zeros((1, 5))
    ),
    "area_range=None was given. Expected a number, or two": lambda: image.DetRandomCropAug(
        area_range=None
    ),
    "aspect_ratio_range=\\(2, 1\\) was given": lambda: image.DetRandomPadAug((2, 1)),
    "min_eject_coverage has 3 entries": lambda: image.CreateMultiRandCropAugmenter(
        min_object_covered=[0.1], min_eject_coverage=[0.1] * 3, max_attempts=[1, 2, 3, 4]
    ),
    "record 0: Label shape is invalid": lambda: image.ImageDetIter(
        path_imgrec=FOLDER / "plain.rec", **BATCH
    ),
    "inconsistent with annotation width": lambda: detector([*BOX, 3]),
    "Encounter sample with no valid label": lambda: detector([2, 5, 0, 0.5, 0.1, 0.5, 0.5]),
    "Attempts|at least 1 objects and 5 columns": lambda: detector(BOX).reshape(label_shape=(0, 5)),
    "label_shape should have length 2": lambda: detector(BOX).reshape(label_shape=(5,)),
    "Synchronize with invalid iterator, int": lambda: detector(BOX).sync_label_shape(3),
    "gluonish opens no windows": lambda: detector(BOX).draw_next(waitKey=1),
}


def detector(label, name="0.png"):
    return image.ImageDetIter(imglist=[[label, name]], path_root=FOLDER, **BATCH)


@pytest.mark.parametrize("message", REFUSED)
def test_mistakes_are_explained(message):
    with pytest.raises(errors.MXNetError, match=message):
        REFUSED[message]()


def test_unknown_arguments_of_augmenters_are_refused():
    with pytest.raises(TypeError, match="foo"):
        image.ImageIter(imglist=[[1, "0.png"]], foo=1, **BATCH)
    with pytest.raises(TypeError, match="foo"):
        image.ImageDetIter(imglist=[[BOX, "0.png"]], path_root=FOLDER, foo=1, **BATCH)


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r'pip install "gluonish\[image\]"'):
        image.imread(FOLDER / "0.png")


def test_results_are_of_the_mode_and_the_class():
    assert type(image.imread(FOLDER / "0.png")) is mx.nd.NDArray
    mx.npx.set_np()
    picture = image.imread(FOLDER / "0.png")
    assert type(picture) is type(image.imresize(picture, 3, 4)) is mx.np.ndarray
    assert type(image.fixed_crop(picture, 0, 0, 2, 2)) is mx.np.ndarray
    assert (
        type(image.ImageIter(path_imgrec=FOLDER / "plain.rec", **BATCH).next().data[0])
        is mx.np.ndarray
    )


def test_out_takes_a_picture():
    out = mx.nd.zeros((3, 4, 3), dtype="uint8")
    assert image.imresize(image.imread(FOLDER / "0.png"), 4, 3, out=out) is out
    assert out.sum().asscalar() > 0
    whole = mx.nd.zeros(image.imread(FOLDER / "0.png").shape)
    assert image.imread(FOLDER / "0.png", out=whole) is whole
    assert whole.sum().asscalar() > 0


def test_bytes_may_be_arrays():
    data = (FOLDER / "0.png").read_bytes()
    whole = image.imdecode(data).asnumpy()
    numbers = onp.frombuffer(data, "uint8").copy()
    for buffer in (bytearray(data), memoryview(data), numbers, mx.nd.array(numbers, dtype="uint8")):
        assert (image.imdecode(buffer).asnumpy() == whole).all()


def test_a_cut_off_jpeg_shows_what_there_is_and_a_cut_off_png_is_refused():
    data = (FOLDER / "a420.jpg").read_bytes()
    whole, part = image.imdecode(data).asnumpy(), image.imdecode(data[:1700]).asnumpy()
    assert (whole[:16] == part[:16]).all()
    with pytest.raises(errors.ImageFormatError, match="Decoding failed"):
        image.imdecode((FOLDER / "0.png").read_bytes()[:300])


def test_formats_that_would_start_programs_are_not_read():
    with pytest.raises(errors.ImageFormatError, match="Decoding failed"):
        image.imdecode(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n" + bytes(300))


def test_a_subclass_may_change_what_is_done():
    class Sevens(image.ImageIter):
        def augmentation_transform(self, data):
            return super().augmentation_transform(data) * 0 + 7

        def check_valid_image(self, data):
            if data[0].shape[0] % 2:
                msg = "odd"
                raise RuntimeError(msg)

    batches = Sevens(path_imgrec=FOLDER / "plain.rec", **BATCH)
    assert batches.next().data[0].asnumpy().ravel()[0] == 7
    assert batches.read_image(FOLDER / "0.png") == (FOLDER / "0.png").read_bytes()
    assert batches.next_sample()[0] == float(batches.cur - 1) % 4


def test_tiny_lists_fill_a_batch_again_and_again():
    batches = image.ImageIter(5, (3, 8, 8), imglist=[[1, "0.png"], [2, "1.jpg"]], path_root=FOLDER)
    batch = batches.next()
    assert batch.label[0].asnumpy().tolist() == [1, 2, 1, 2, 1]
    assert batch.pad == 3
    with pytest.raises(StopIteration):
        image.ImageIter(imglist=[], **BATCH).next()


def test_hard_reset_forgets_what_was_kept():
    batches = image.ImageIter(
        path_imgrec=FOLDER / "pairs.rec", label_width=2, last_batch_handle="roll_over", **BATCH
    )
    assert len(list(batches)) == 3
    batches.hard_reset()
    assert batches.next().label[0][0, 0].asscalar() == 0


def test_an_iterator_tells_of_its_samples():
    batches = image.ImageIter(
        path_imgrec=FOLDER / "plain.rec",
        path_imgidx=FOLDER / "plain.idx",
        path_imglist=FOLDER / "plain.lst",
        **BATCH,
    )
    assert batches.imgidx == batches.seq == list(range(0, 21, 3))
    assert (batches.num_image, batches.cur) == (7, 0)
    assert batches.imglist[3][1] == "1.jpg"
    assert batches.imgrec.keys == batches.imgidx
    assert image.ImageIter(path_imgrec=FOLDER / "plain.rec", **BATCH).num_image is None


def test_boxes_are_drawn():
    label = [2, 5, 1, 0.1, 0.1, 0.9, 0.5]
    (plain,) = detector(label).draw_next(color=(255, 0, 0), thickness=1)
    assert (plain.shape, plain.dtype) == ((8, 8, 3), onp.uint8)
    assert plain[1, 3].tolist() == plain[4, 7].tolist() == [255, 0, 0]
    (real,) = detector(label).draw_next(clip=False, mean=True, std=True, id2labels={1: "cat"})
    assert real.dtype == onp.float32


def test_new_data_shapes_make_the_usual_augmenters_anew():
    batches = detector(BOX)
    batches.reshape((3, 5, 6))
    assert batches.next().data[0].shape == (2, 3, 5, 6)
    assert batches.provide_data == [("data", (2, 3, 5, 6))]


def test_module_paths_are_mxnets():
    assert mx.image.image.ImageIter is mx.image.ImageIter is mx.img.ImageIter
    assert mx.image.detection.ImageDetIter is mx.image.det.ImageDetIter is mx.image.ImageDetIter


def test_borders_are_written_where_out_says():
    out = mx.nd.zeros((4, 4, 3))
    assert mx.image.copyMakeBorder(mx.nd.ones((2, 2, 3)), 1, 1, 1, 1, out=out) is out
    assert out.sum().asscalar() == 12
