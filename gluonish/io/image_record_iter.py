"""ImageRecordIter: batches of pictures from files of records, read by threads and ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.io.image_changes import Planner, read_image_options
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
    from gluonish.serialization.files import PathLike


class ImageRecordIter(ImagePasses):
    """Iterates over batches of pictures from files of records.

    Threads decode and change the pictures, and batches are made ahead.

    Parameters
    ----------
    path_imgrec : path
        File of records, or a folder of `.rec` files.
    data_shape : (int, int, int)
        Channels (1, 3, or 4 as in the files), height and width of a picture in a batch.
    batch_size : int
        Samples in a batch.
    path_imgidx : path, optional
        Index of the records. Without it, the heads of all records are read first.
    path_imglist : path, optional
        `.lst` file whose labels take the place of the records'.
    label_width : int, default 1
        Numbers in a label.
    preprocess_threads : int, default 4
        Threads that decode and change pictures. The numbers do not depend on it.
    verbose : bool, default True
        Whether to say in the log (`gluonish.io`) what is read.
    num_parts, part_index : int, default 1 and 0
        Into how many parts the records are divided, and which of them to read.
    device_id : int, default 0
        MXNet's device with pinned memory. Batches are on `cpu(0)`.
    shuffle : bool, default False
        Whether each pass through the records has a random order of its own.
    seed : int, default 0
        Seed of the orders.
    seed_aug : int, optional
        Seed of the changes. With it, those of a sample depend on nothing but this seed and the
        sample's number: with `path_imgidx` its row in the batch, else its number in 8 MiB of the
        file, counted from the row or, with `shuffle`, from `batch_size`.
    shuffle_chunk_size, shuffle_chunk_seed : int, default 0
        MXNet's buffer for random orders. Here all records are in it.
    round_batch : bool, default True
        Whether a last batch that is not full is filled with the first samples of the next pass,
        which then begins after these. Otherwise zeros fill it.
    prefetch_buffer : int, default 4
        Batches made ahead.
    ctx : {'cpu', 'gpu'}, default 'gpu'
        The device that MXNet makes batches for. They are on `cpu(0)`.
    dtype : {'float32', 'uint8', 'int8', ...}, optional
        Of the pictures; float32 by default. uint8 leaves pixels as they are.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.
    aug_seq : str, default 'aug_default'
        MXNet's only sequence of changes.
    **options
        What is done to the pictures, in this order. `resize`: new length of the shorter side.
        `max_rotate_angle`, `rotate` (degrees), `max_shear_ratio`, `min_random_scale` and
        `max_random_scale`, `min_aspect_ratio` and `max_aspect_ratio`, `min_img_size` and
        `max_img_size`: an affine map. `pad`: a border, of `fill_value` (255).
        `random_resized_crop` with `min_random_area`, `max_random_area` and the aspect ratio: a
        part of random place and size. `min_crop_size`, `max_crop_size`: a square part. Else a
        part of `data_shape`, in the middle or (`rand_crop`) at a random place.
        `inter_method` (1): as `interp` in `image.imresize`. `brightness`, `contrast`,
        `saturation`; `random_h`, `random_s`, `random_l`; `pca_noise`: colours. `mirror`,
        `rand_mirror`. Then `mean_r`, `mean_g`, `mean_b`, `mean_a` or the file `mean_img` are
        subtracted, `scale`, `max_random_contrast` and `max_random_illumination` change the rest,
        and `std_r`, `std_g`, `std_b`, `std_a` divide it.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        A file is damaged, or holds something else.
    ShapeError
        A label or a picture has another shape than the arguments say.
    RefusedArgumentError, UnknownArgumentError
        An argument is out of its range, or there is none of this name.

    Notes
    -----
    With one thread, or with `path_imgidx`, random crops and mirrors are those of MXNet, number for
    number; so is the order of the samples.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.rec")
    >>> writer = mx.recordio.MXRecordIO(path, "w")
    >>> for label in range(4):
    ...     header = mx.recordio.IRHeader(0, label, label, 0)
    ...     writer.write(mx.recordio.pack(header, b"P6 4 4 255 " + bytes(48)))
    >>> writer.close()
    >>> batches = mx.io.ImageRecordIter(path_imgrec=path, data_shape=(3, 2, 2), batch_size=2)
    >>> [batch.label[0].asnumpy().tolist() for batch in batches]
    [[0.0, 1.0], [2.0, 3.0]]
    """

    def __init__(
        self,
        path_imgrec: PathLike = "",
        data_shape: Any = None,
        batch_size: int = 0,
        path_imgidx: PathLike = "",
        path_imglist: PathLike = "",
        label_width: int = 1,
        preprocess_threads: int = 4,
        verbose: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        device_id: int = 0,
        shuffle: bool = False,
        seed: int = 0,
        seed_aug: int | None = None,
        shuffle_chunk_size: int = 0,
        shuffle_chunk_seed: int = 0,
        round_batch: bool = True,
        prefetch_buffer: int = 4,
        ctx: str = "gpu",
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        aug_seq: str = "aug_default",
        **options: Any,
    ) -> None:
        where = type(self).__name__
        changes, scaling = read_image_options(where, options)
        needed = {"path_imgrec": path_imgrec, "data_shape": data_shape, "batch_size": batch_size}
        require(where, "path_imgrec='a.rec', data_shape=(3, 224, 224), batch_size=32", **needed)
        super().__init__(number(batch_size, "batch_size", where, 1))
        number(device_id, "device_id", where, -(2**31))
        sequences = (aug_seq, "aug_default")
        check_ignored(where, sequences, ctx, shuffle_chunk_size, shuffle_chunk_seed)
        shape = picture_shape(where, data_shape)
        width = number(label_width, "label_width", where, 1)
        paths = (path_imgrec, path_imgidx, path_imglist)
        records = opened(where, paths, (num_parts, part_index), width, shape[0])
        scaler = Scaler(scaling, shape[0], element_type(dtype))
        self._begin(
            PassOptions(
                preprocess_threads, verbose, shuffle, seed, round_batch, prefetch_buffer, dtype
            ),
            records,
            Planner(changes, shape, scaler),
            scaler,
            shape=shape,
            label_shape=() if width == 1 else (width,),
            names=(data_name, label_name),
            seed_aug=seed_aug,
        )


def ImageRecordUInt8Iter(*args: Any, **kwargs: Any) -> ImageRecordIter:  # noqa: N802 - MXNet's name
    """Return an ImageRecordIter whose pictures are uint8, as they are in the files.

    Parameters
    ----------
    *args, **kwargs
        As in `ImageRecordIter`.
    """
    return ImageRecordIter(*args, **{**kwargs, "dtype": "uint8"})


def ImageRecordInt8Iter(*args: Any, **kwargs: Any) -> ImageRecordIter:  # noqa: N802 - MXNet's name
    """Return an ImageRecordIter whose pictures are int8: pixels minus a mean.

    Parameters
    ----------
    *args, **kwargs
        As in `ImageRecordIter`.
    """
    return ImageRecordIter(*args, **{**kwargs, "dtype": "int8"})
