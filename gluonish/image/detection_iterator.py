"""ImageDetIter: batches of pictures with the boxes of the objects in them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.errors import (
    ImageFormatError,
    InvalidArgumentError,
    LabelFormatError,
    MXNetError,
    OperandError,
    UnsupportedOptionError,
)
from gluonish.image.create import IMAGENET_MEAN, IMAGENET_STD
from gluonish.image.detection_create import CreateDetAugmenter
from gluonish.image.iterator import ImageIter
from gluonish.io.boxes import read_boxes
from gluonish.numpy_images.drawing import draw_boxes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.image.arrays import Values
    from gluonish.serialization.files import PathLike

__all__ = ["ImageDetIter"]

_log = logging.getLogger("gluonish.image")
_OF_SAMPLES = (ImageFormatError, LabelFormatError)


class ImageDetIter(ImageIter):
    """Iterates over batches of pictures with the boxes of the objects in them.

    A sample's label is one row of numbers: the width of this header (2), the number of columns of
    an object (5 or more), further numbers if the header is wider, then for each object its class,
    left, top, right and bottom, the last four as shares of width and height.

    Parameters
    ----------
    batch_size : int
        Samples in a batch.
    data_shape : (3, int, int)
        Channels, height and width of a picture in a batch.
    path_imgrec, path_imglist, path_root, path_imgidx : path, optional
        As in `ImageIter`.
    shuffle : bool, default False
        Whether each epoch has an order of its own, by Python's `random`.
    part_index, num_parts : int, default 0 and 1
        Which part of how many is taken.
    aug_list : list of callable, optional
        What is done to picture and boxes; by default what `CreateDetAugmenter` makes of
        `data_shape` and `**kwargs`.
    imglist : list, optional
        Entries of a label and a file name.
    data_name, label_name : str, default 'data' and 'label'
        Names of data and labels.
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
        As in `ImageIter`.
    **kwargs
        Arguments of `CreateDetAugmenter`.

    Attributes
    ----------
    label_shape : (int, int)
        Most objects of a sample, and columns of an object; a batch of labels has a row of -1 for
        each object that a sample does not have.

    Raises
    ------
    LabelFormatError
        A label is of another kind.
    RefusedArgumentError, InvalidArgumentError, ImageFormatError
        As in `ImageIter`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.ppm").write_bytes(b"P6 2 2 255 " + bytes(12))
    >>> samples = [[[2, 5, 0, 0.25, 0.25, 0.75, 0.5], "a.ppm"]]
    >>> batches = mx.image.ImageDetIter(1, (3, 8, 8), imglist=samples, path_root=folder)
    >>> batches.next().label[0]
    <BLANKLINE>
    [[[0.   0.25 0.25 0.75 0.5 ]]]
    <NDArray 1x1x5 @cpu(0)>
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        path_imgrec: PathLike | None = None,
        path_imglist: PathLike | None = None,
        path_root: PathLike | None = None,
        path_imgidx: PathLike | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Sequence[Callable[..., Any]] | None = None,
        imglist: Any = None,
        data_name: str = "data",
        label_name: str = "label",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        self._options = kwargs
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=aug_list,
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
            **kwargs,
        )
        self.label_shape = self._estimate_label_shape()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    @override
    def _augmenters(self, options: dict[str, Any]) -> list[Any]:
        return list(CreateDetAugmenter(self.data_shape, **options))

    def _estimate_label_shape(self) -> tuple[int, int]:
        """Read all labels, and return the most objects and the columns of an object."""
        most, columns = 0, 5
        self.reset()
        for label, _ in iter(self.next_sample, None):
            objects = self._parse_label(label)
            most, columns = max(most, objects.shape[0]), objects.shape[1]
        self.reset()
        return most, columns

    def _parse_label(self, label: Any) -> Values:
        """Return a row for each object with a real box."""
        plain = label.asnumpy() if isinstance(label, NDArray) else label
        objects = read_boxes(plain, f"{type(self).__name__}, {self._present()}").objects
        if not len(objects):
            msg = (
                f"{type(self).__name__}, {self._present()}: Encounter sample with no valid "
                f"label. Expected an object whose right and bottom are larger than left and top. "
                f"Correct it, or leave the sample out."
            )
            raise LabelFormatError(msg)
        return objects

    def reshape(
        self,
        data_shape: Sequence[int] | None = None,
        label_shape: Sequence[int] | None = None,
    ) -> None:
        """Change the shapes of pictures or labels in batches.

        Parameters
        ----------
        data_shape : (3, int, int), optional
            Pictures get this size; augmenters that were made for the old one are made anew.
        label_shape : (int, int), optional
            Objects and columns; not fewer objects than before.

        Raises
        ------
        InvalidArgumentError
            A shape is none that pictures or labels can have.
        """
        if data_shape is not None:
            self.check_data_shape(data_shape)
            name = self.provide_data[0][0]
            self.provide_data = [(name, (self.batch_size, *data_shape))]
            self.data_shape = tuple(data_shape)
            if self._has_usual_augmenters:
                self.auglist = self._augmenters(self._options)
        if label_shape is not None:
            self.check_label_shape(label_shape)
            name = self.provide_label[0][0]
            self.provide_label = [(name, (self.batch_size, *label_shape))]
            self.label_shape = (label_shape[0], label_shape[1])
        self._keep(None, None, None)

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Raise the error for a `label_shape` that labels cannot have.

        Raises
        ------
        InvalidArgumentError
            It has fewer objects than before, or other columns.
        """
        if (
            len(label_shape) == 2
            and label_shape[0] >= self.label_shape[0]
            and label_shape[1] == self.label_shape[1]
        ):
            return
        msg = (
            f"{type(self).__name__}: label_shape={tuple(label_shape)} was given. label_shape "
            f"should have length 2, with at least {self.label_shape[0]} objects and "
            f"{self.label_shape[1]} columns. Write {self.label_shape}."
        )
        raise InvalidArgumentError(msg)

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Give this iterator and another one the same shape of labels, the larger one's.

        Parameters
        ----------
        it : ImageDetIter
            The other one, over validation data for example.
        verbose : bool, default False
            Whether to tell a change in the log (`gluonish.image`).

        Returns
        -------
        ImageDetIter
            The other one.

        Raises
        ------
        OperandError
            It is no ImageDetIter.
        """
        given: object = it
        if not isinstance(given, ImageDetIter):
            msg = (
                f"{type(self).__name__}: Synchronize with invalid iterator, "
                f"{type(given).__name__} was given. Expected an ImageDetIter. Pass another one."
            )
            raise OperandError(msg)
        shape = (max(self.label_shape[0], it.label_shape[0]), self.label_shape[1])
        for one in (self, it):
            if one.label_shape != shape:
                if verbose:
                    _log.info("Resized label_shape from %s to %s.", one.label_shape, shape)
                one.reshape(label_shape=shape)
        return it

    @override
    def _new_batch(self) -> tuple[NDArray, NDArray]:
        data, label = super()._new_batch()
        label[:] = -1
        return data, label

    @override
    def _changed(
        self, picture: NDArray, values: Any, label_shape: tuple[int, ...]
    ) -> tuple[NDArray, Any] | None:
        try:
            self.check_valid_image([picture])
            objects = self._parse_label(values)
            picture, objects = self.augmentation_transform(picture, objects)
            self._check_valid_label(objects)
        except RuntimeError as error:
            if isinstance(error, MXNetError) and not isinstance(error, _OF_SAMPLES):
                raise
            _log.debug("Invalid image, skipping: %s", error)
            return None
        label = onp.full(label_shape, -1, onp.float32)
        count = min(len(objects), len(label))
        label[:count] = objects[:count]
        return picture, label

    def _check_valid_label(self, label: Values) -> None:
        """Raise the error for objects that are none; the sample is then left out."""
        if label.ndim == 2 and label.shape[1] == self.label_shape[1]:
            is_object = label[:, 0] >= 0
            has_area = (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])
            if (is_object & has_area).any():
                return
        msg = (
            f"{type(self).__name__}, {self._present()}: Invalid label occurs, of shape "
            f"{label.shape}. Expected objects of {self.label_shape[1]} columns, as in other "
            f"samples, one of which has a class and an area. Write all labels in this way."
        )
        raise LabelFormatError(msg)

    @override
    def augmentation_transform(  # type: ignore[override] # as in MXNet, boxes come along
        self, data: NDArray, label: Values
    ) -> tuple[NDArray, Values]:
        """Return picture and boxes after all augmenters."""
        for augmenter in self.auglist:
            data, label = augmenter(data, label)
        return data, label

    def draw_next(
        self,
        color: Sequence[int] | None = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: int | None = None,  # noqa: N803 - MXNet's name
        window_name: str = "draw_next",
        id2labels: dict[int, str] | None = None,
    ) -> Iterator[Values]:
        """Give pictures of the epoch with their boxes drawn into them.

        Parameters
        ----------
        color : (int, int, int), optional
            Colour of the boxes; by default each class has its own.
        thickness : int, default 2
            Width of the lines in pixels.
        mean, std : array of 3, or True, optional
            What the augmenters subtracted and divided by, to take it back; True stands for
            ImageNet's.
        clip : bool, default True
            Whether values are brought into the range of 0 to 255.
        waitKey : int, optional
            MXNet opens a window with it. There are none here.
        window_name : str, default 'draw_next'
            The title of MXNet's window.
        id2labels : dict, optional
            Name of each class, drawn beside its boxes.

        Returns
        -------
        iterator of array, shape (height, width, 3)
            uint8 if `clip` is set, else float32.

        Raises
        ------
        UnsupportedOptionError
            `waitKey` was given.
        MissingExtraError
            Pillow is not installed.
        """
        if waitKey is not None:
            msg = (
                f"ImageDetIter.draw_next: waitKey={waitKey!r} was given for a window "
                f"{window_name!r}. Expected None, since gluonish opens no windows. Show the "
                f"pictures with matplotlib's imshow."
            )
            raise UnsupportedOptionError(msg)
        return self._drawn(color, thickness, _usual(mean, 0), _usual(std, 1), clip, id2labels)

    def _drawn(
        self,
        color: Sequence[int] | None,
        thickness: int,
        mean: Any,
        std: Any,
        clip: bool,
        id2labels: dict[int, str] | None,
    ) -> Iterator[Values]:
        for label, encoded in iter(self.next_sample, None):
            picture = self.imdecode(encoded)
            picture, objects = self.augmentation_transform(picture, self._parse_label(label))
            values = picture.asnumpy().astype(onp.float32)
            if std is not None:
                values = values * onp.asarray(std, onp.float32)
            if mean is not None:
                values = values + onp.asarray(mean, onp.float32)
            if clip:
                values = values.clip(0, 255)
            drawn = draw_boxes(values.clip(0, 255), objects, color, thickness, id2labels)
            yield drawn if clip else onp.where(drawn == values.astype(onp.uint8), values, drawn)
        self.reset()


def _usual(value: Any, which: int) -> Any:
    """Return ImageNet's mean or standard deviation for True, and plain numbers for arrays."""
    if value is True:
        return (IMAGENET_MEAN, IMAGENET_STD)[which]
    return value.asnumpy() if isinstance(value, NDArray) else value
