"""Augmenters of pictures with boxes: base, combinations, mirroring."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError, MissingMethodError, RefusedClassError
from gluonish.image.augmenters import Augmenter, Described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.image.arrays import Values

__all__ = ["DetAugmenter", "DetBorrowAug", "DetHorizontalFlipAug", "DetRandomSelectAug"]


class DetAugmenter(Described):
    """Base of all augmenters of pictures with boxes: a subclass defines `__call__(src, label)`.

    Labels are arrays with a row for each object: class, left, top, right and bottom, the last four
    as shares of the picture's width and height; further columns stay as they are.

    Parameters
    ----------
    **kwargs
        What `dumps` tells of the augmenter.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Keep(mx.image.DetAugmenter):
    ...     def __call__(self, src, label):
    ...         return src, label
    >>> Keep().dumps()
    '["keep", {}]'
    """

    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        """Return the changed picture and its changed label.

        Raises
        ------
        MissingMethodError
            The subclass does not define it.
        """
        msg = (
            f"{type(self).__name__}: it has no __call__ for a {type(src).__name__} and a label of "
            f"type {type(label).__name__}. Must override implementation, expected one in every "
            f"augmenter. Write `def __call__(self, src, label):` in the class."
        )
        raise MissingMethodError(msg)


class DetBorrowAug(DetAugmenter):
    """An augmenter that moves nothing within the picture, such as a change of colours.

    Parameters
    ----------
    augmenter : Augmenter
        Applied to the picture; the label stays.

    Raises
    ------
    RefusedClassError
        It is no Augmenter.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.DetBorrowAug(mx.image.CastAug()).dumps()
    ['detborrowaug', '["castaug", {"type": "float32"}]']
    """

    def __init__(self, augmenter: Augmenter) -> None:
        given: object = augmenter
        if not isinstance(given, Augmenter):
            msg = (
                f"DetBorrowAug: Borrowing from invalid Augmenter, {type(given).__name__} was "
                f"given. Expected an mx.image.Augmenter. Pass mx.image.CastAug(), for example."
            )
            raise RefusedClassError(msg)
        super().__init__()
        self.augmenter = augmenter

    @override
    def dumps(self) -> list[Any]:
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    @override
    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """One of several augmenters, drawn at random, or none.

    Parameters
    ----------
    aug_list : DetAugmenter or list of DetAugmenter
        Those to draw from. With none, pictures stay as they are.
    skip_prob : float, default 0
        Probability of none.

    Raises
    ------
    InvalidArgumentError
        There is something else among them.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.DetRandomSelectAug([mx.image.DetHorizontalFlipAug(1.0)], skip_prob=0.5).dumps()
    ['detrandomselectaug', ['["dethorizontalflipaug", {"p": 1.0}]']]
    """

    def __init__(
        self, aug_list: DetAugmenter | Sequence[DetAugmenter], skip_prob: float = 0
    ) -> None:
        super().__init__(skip_prob=skip_prob)
        parts = list(aug_list) if isinstance(aug_list, list | tuple) else [aug_list]
        for part in parts:
            if not isinstance(part, DetAugmenter):
                msg = (
                    f"DetRandomSelectAug: Allow DetAugmenter in list only, {type(part).__name__} "
                    f"was given. Wrap others: mx.image.DetBorrowAug(augmenter)."
                )
                raise InvalidArgumentError(msg)
        self.aug_list: list[Any] = parts
        self.skip_prob = skip_prob if parts else 1

    @override
    def dumps(self) -> list[Any]:
        return [type(self).__name__.lower(), [part.dumps() for part in self.aug_list]]

    @override
    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        if random.random() < self.skip_prob:
            return src, label
        # The list itself is shuffled, so that the draws and the choices are MXNet's.
        random.shuffle(self.aug_list)
        result: tuple[NDArray, Values] = self.aug_list[0](src, label)
        return result


class DetHorizontalFlipAug(DetAugmenter):
    """Mirroring, left to right, with some probability.

    Parameters
    ----------
    p : float
        Probability in [0, 1].

    Examples
    --------
    >>> import numpy as onp
    >>> import gluonish as mx
    >>> label = onp.array([[0, 0.125, 0.25, 0.5, 0.75]])
    >>> mx.image.DetHorizontalFlipAug(1.0)(mx.nd.zeros((4, 6, 3)), label)[1].tolist()
    [[0.0, 0.5, 0.25, 0.875, 0.75]]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    @override
    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        if random.random() >= self.p:
            return src, label
        flipped = label.copy()
        flipped[:, 1], flipped[:, 3] = 1.0 - label[:, 3], 1.0 - label[:, 1]
        return src.flip(axis=1), flipped
