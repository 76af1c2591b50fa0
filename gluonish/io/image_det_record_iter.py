"""ImageDetRecordIter: batches of pictures with boxes from files of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import RefusedArgumentError
from gluonish.io.detection_changes import DetectionPlanner, read_detection_options
from gluonish.io.image_draws import DETECTION_SEED
from gluonish.io.image_passes import (
    ImagePasses,
    PassOptions,
    check_ignored,
    opened,
    picture_shape,
)
from gluonish.io.image_scaling import Scaler
from gluonish.io.options import element_type, number, require

if TYPE_CHECKING:
    from gluonish.io.image_records import ImageRecords
    from gluonish.serialization.files import PathLike

_SHAPE = 4  # numbers before a label: channels, height, width, and how many numbers follow


class ImageDetRecordIter(ImagePasses):
    """Iterates over batches of pictures with boxes from files of records.

    A record's label is one row of numbers: the width of this header (2), the number of columns of
    an object (5 or more), further numbers if the header is wider, then for each object its class,
    left, top, right and bottom, the last four as shares of width and height. A row of a batch's
    labels begins with channels, height and width of the picture and with how many numbers follow,
    then come these.

    Parameters
    ----------
    path_imgrec : path
        File of records, or a folder of `.rec` files.
    data_shape : (int, int, int)
        Channels (1, 3, or 4 as in the files), height and width of a picture in a batch.
    batch_size : int
        Samples in a batch.
    path_imglist : path, optional
        `.lst` file whose labels take the place of the records'.
    label_width : int, default -1
        Numbers in a record's label; -1 takes any.
    label_pad_width : int, default 0
        Numbers in a batch's row of labels, without the first four; 0 or -1 for the most in a
        label.
    label_pad_value : float, default -1
        What fills up shorter labels.
    preprocess_threads : int, default 4
        Threads that decode and change pictures. The numbers do not depend on it.
    verbose : bool, default True
        Whether to say in the log (`gluonish.io`) what is read.
    num_parts, part_index : int, default 1 and 0
        Into how many parts the records are divided, and which of them to read.
    shuffle : bool, default False
        Whether each pass through the records has a random order of its own.
    seed : int, default 0
        Seed of the orders.
    shuffle_chunk_size, shuffle_chunk_seed : int, default 0
        MXNet's buffer for random orders. Here all records are in it.
    round_batch : bool, default True
        Whether a last batch that is not full is filled with the first samples of the next pass,
        which then begins after these. Otherwise zeros and `label_pad_value` fill it.
    prefetch_buffer : int, default 4
        Batches made ahead.
    ctx : {'cpu', 'gpu'}, default 'gpu'
        The device that MXNet makes batches for. They are on `cpu(0)`.
    dtype : {'float32'}, optional
        Of the pictures.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.
    aug_seq : str, default 'det_aug_default'
        MXNet's only sequence of changes for pictures with boxes.
    **options
        What is done to pictures and boxes, in this order. `resize`: new length of the shorter
        side. `max_random_hue` (of 180), `max_random_saturation`, `max_random_illumination` (of
        255) and `max_random_contrast` (factor minus 1), each with its probability
        `random_hue_prob`, ... `rand_mirror_prob`. `rand_pad_prob`: a frame of `fill_value` (127),
        up to `max_pad_scale` times as long. `rand_crop_prob`: a part that one of
        `num_crop_sampler` samplers proposes in one of `max_crop_trials` tries, whose size is from
        `min_crop_scales` to `max_crop_scales`, whose width divided by its height is from
        `min_crop_aspect_ratios` to `max_crop_aspect_ratios`, and which shows an object of which
        intersection over union (`overlaps`), share of the part (`sample_coverages`) and share of
        the object (`object_coverages`) have such bounds, too; each is a number, or a tuple of one
        for each sampler. `crop_emit_mode`: objects stay whose 'center' is in the part, or whose
        'overlap' is above `emit_overlap_thresh` (0.3). `resize_mode`: 'force' makes the picture
        as large as `data_shape`, 'fit' as large as it fits in, 'shrink' smaller if it has to be;
        zeros are right of and below it. `inter_method` (1): as `interp` in `image.imresize`. Then
        `mean_r`, `mean_g`, `mean_b`, `mean_a`, if one is above 0, or else the file `mean_img` are
        subtracted, `std_r`, `std_g`, `std_b`, `std_a` divide it where they are above 0, and
        `scale` multiplies it.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        A file is damaged, or holds something else.
    LabelFormatError
        A label is of another kind.
    ShapeError
        A label or a picture has another shape than the arguments say.
    RefusedArgumentError, UnknownArgumentError
        An argument is out of its range, or there is none of this name.

    Notes
    -----
    With one thread, in the order of the file, all random changes are those of MXNet, number for
    number.

    References
    ----------
    Liu et al.: SSD: single shot multibox detector, 2016, arXiv:1512.02325.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.rec")
    >>> writer = mx.recordio.MXRecordIO(path, "w")
    >>> label = [2, 5, 0, 0.25, 0.25, 0.75, 0.5]
    >>> header = mx.recordio.IRHeader(0, label, 0, 0)
    >>> writer.write(mx.recordio.pack(header, b"P6 4 4 255 " + bytes(48)))
    >>> writer.close()
    >>> batches = mx.io.ImageDetRecordIter(path_imgrec=path, data_shape=(3, 8, 8), batch_size=1)
    >>> batches.next().label[0].asnumpy().tolist()
    [[3.0, 8.0, 8.0, 7.0, 2.0, 5.0, 0.0, 0.25, 0.25, 0.75, 0.5]]
    """

    def __init__(
        self,
        path_imgrec: PathLike = "",
        data_shape: Any = None,
        batch_size: int = 0,
        path_imglist: PathLike = "",
        label_width: int = -1,
        label_pad_width: int = 0,
        label_pad_value: float = -1.0,
        preprocess_threads: int = 4,
        verbose: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        shuffle: bool = False,
        seed: int = 0,
        shuffle_chunk_size: int = 0,
        shuffle_chunk_seed: int = 0,
        round_batch: bool = True,
        prefetch_buffer: int = 4,
        ctx: str = "gpu",
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        aug_seq: str = "det_aug_default",
        **options: Any,
    ) -> None:
        where = type(self).__name__
        changes, samplers, scaling = read_detection_options(where, options)
        needed = {"path_imgrec": path_imgrec, "data_shape": data_shape, "batch_size": batch_size}
        require(where, "path_imgrec='a.rec', data_shape=(3, 224, 224), batch_size=32", **needed)
        super().__init__(number(batch_size, "batch_size", where, 1))
        sequences = (aug_seq, "det_aug_default")
        check_ignored(where, sequences, ctx, shuffle_chunk_size, shuffle_chunk_seed)
        _check_dtype(where, dtype)
        shape = picture_shape(where, data_shape)
        width = number(label_width, "label_width", where, -1)
        paths = (path_imgrec, "", path_imglist)
        records = opened(where, paths, (num_parts, part_index), width, shape[0])
        scaler = Scaler(scaling, shape[0], element_type(dtype))
        self._begin(
            PassOptions(
                preprocess_threads, verbose, shuffle, seed, round_batch, prefetch_buffer, dtype
            ),
            records,
            DetectionPlanner(changes, samplers, shape, scaling.scale),
            scaler,
            shape=shape,
            label_shape=(_SHAPE + _padded_width(where, records, label_pad_width),),
            label_fill=float(label_pad_value),
            names=(data_name, label_name),
            first_seed=DETECTION_SEED,
        )


def _check_dtype(where: str, dtype: Any) -> None:
    if dtype not in (None, "None") and torch_dtype(dtype) != torch_dtype("float32"):
        msg = (
            f"{where}: dtype={dtype!r} was given. Expected 'float32', the only one that MXNet's "
            f"has. Leave it out, and write batch.data[0].astype({dtype!r})."
        )
        raise RefusedArgumentError(msg)


def _padded_width(where: str, records: ImageRecords, label_pad_width: Any) -> int:
    given = number(label_pad_width, "label_pad_width", where, -(2**31))
    widest = records.widest_label()
    if 0 < given < widest:
        records.close()
        msg = (
            f"{where}: label_pad_width: {given} smaller than estimated width: {widest}. Expected "
            f"room for the longest label. Write label_pad_width={widest}, or leave it out."
        )
        raise RefusedArgumentError(msg)
    return max(given, widest)
