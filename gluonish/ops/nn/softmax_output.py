"""Softmax as a net's last operator: its gradient is that of the cross-entropy with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import Graph, Precision, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.table.own_gradient import read_before, with_gradient

if TYPE_CHECKING:
    from gluonish.ops.table import Shape

NORMALIZATIONS = ("null", "batch", "valid")


def product(lengths: Shape) -> int | None:
    """Return the product of lengths; None if one is unknown."""
    count = 1
    for length in lengths:
        if length is None:
            return None
        count *= length
    return count


def _label_shape(
    shapes: dict[str, Shape | None], multi_output: bool = False, **_: object
) -> dict[str, Shape]:
    """Rule for an unknown label: one number per position, or per row."""
    data = shapes["data"]
    if not data:
        return {}
    if not multi_output:
        return {"label": data[:-1]}
    positions = product(data[2:])
    return {} if positions is None else {"label": (data[0], positions)}


class _Options(NamedTuple):
    """What forward and backward have to know."""

    layout: str
    grad_scale: float
    ignore_label: int
    use_ignore: bool
    normalization: str
    out_grad: bool
    smooth_alpha: float


@op(
    nd=("SoftmaxOutput", "Softmax"),
    shapes=_label_shape,
    graph=Graph(is_loss=True, label="label"),
    precision=Precision("full", loss=1),
    choices={"normalization": ("batch", "null", "valid")},
)
def softmax_output(
    data: Tensor,
    label: Tensor,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
) -> Tensor:
    """Turn numbers into probabilities, with the gradient of their cross-entropy with labels.

    Parameters
    ----------
    data : Tensor, shape (batch, classes), (batch, *, classes) or (batch, classes, *)
        Floating-point numbers. Without `multi_output` and `preserve_shape`, all numbers of an
        example are its classes.
    label : Tensor, shape of data without its last axis, with `multi_output` without its second
        Number of the right class of each row or position; one outside of the classes is no class
        at all. Of the data's shape, it holds probabilities; all options but `grad_scale` and
        `out_grad` are then without effect.
    grad_scale : float, default 1.0
        Factor of the gradient.
    ignore_label : float, default -1.0
        Label of rows without gradient.
    multi_output : bool, default False
        Whether the classes are along the second axis. The gradient is then divided by the number
        of positions of an example, unless `normalization='valid'`.
    use_ignore : bool, default False
        Whether rows with `ignore_label` have no gradient.
    preserve_shape : bool, default False
        Whether the classes are along the last axis.
    normalization : {'null', 'batch', 'valid'}, default 'null'
        Whether to divide the gradient by the number of labels (of examples, with
        `multi_output`), or by that of labels that are not `ignore_label`.
    out_grad : bool, default False
        Whether to multiply by the head gradient, which is ignored otherwise.
    smooth_alpha : float, default 0.0
        Share of each label that is spread over the other classes.

    Notes
    -----
    With three axes or more, and neither `multi_output` nor `preserve_shape`, MXNet asks for as
    many labels as there are rows, and uses the first of them, one for each example. Labels of
    shape (batch,) are taken here, too.

    References
    ----------
    Agrees with what MXNet 1.9.1 computes; its `src/operator/softmax_output-inl.h` fixes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((1, 2))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.SoftmaxOutput(x, mx.nd.array([1]))
    >>> y.backward()
    >>> print(y.asnumpy(), x.grad.asnumpy())
    [[0.5 0.5]] [[ 0.5 -0.5]]
    """
    read_before(grad_scale, ignore_label, smooth_alpha)
    if (
        normalization == "null"
        and data.dim() == 2
        and label.dim() == 1
        and len(label) == len(data)
        and not (multi_output or use_ignore or out_grad or smooth_alpha)
        and data.is_floating_point()
    ):
        return with_gradient(_of_rows, _gradient_of_rows, data, label, grad_scale)
    if normalization not in NORMALIZATIONS:
        msg = (
            f"SoftmaxOutput: normalization={normalization!r} was given. Expected 'null', 'batch' "
            f"or 'valid'. Leave normalization out for no division."
        )
        raise InvalidArgumentError(msg)
    check_floats("SoftmaxOutput", data=data)
    layout = "channels" if multi_output else "rows" if preserve_shape else "examples"
    _check_label(data, label, layout)
    options = _Options(
        layout, grad_scale, int(ignore_label), use_ignore, normalization, out_grad, smooth_alpha
    )
    return with_gradient(_probabilities, _gradient, data, label, options)


def _check_label(data: Tensor, label: Tensor, layout: str) -> None:
    shape, given = label.shape, data.shape
    if shape == given or (layout != "channels" and shape == given[:-1]):
        return
    batch, places = tuple(given[:1]), tuple(given[2:])
    known = [tuple(given[:-1]), batch] if layout == "examples" else [tuple(given[:-1])]
    if layout == "channels":
        known = [(*batch, product(places) or 0), (*batch, *places), (*batch, 1, *places)]
    if tuple(shape) in known:
        return
    shapes = " or ".join(str(each) for each in dict.fromkeys(known) if each)
    msg = (
        f"SoftmaxOutput: data of shape {tuple(given)} and a label of shape {tuple(shape)} were "
        f"given. Expected a label of shape {shapes}, or of the data's shape if it holds "
        f"probabilities. Reshape the label, or choose multi_output or preserve_shape."
    )
    raise ShapeError(msg)


def _of_rows(data: Tensor, _: object) -> Tensor:
    return torch.softmax(data, 1)


def _gradient_of_rows(
    probabilities: Tensor,
    label: Tensor,
    head: Tensor,  # noqa: ARG001 - losses begin here
    weight: float,
) -> Tensor:
    """Return the gradient in the common case: a matrix, and no options."""
    ids = label.to(torch.int64).unsqueeze(1)
    grad = probabilities if weight == 1 else probabilities * weight
    quick = _subtract_quickly(grad, ids, weight)
    return _subtract(grad, ids, -weight) if quick is None else quick


def _probabilities(data: Tensor, options: _Options) -> Tensor:
    if options.layout == "channels":
        return torch.softmax(data, 1)
    if options.layout == "rows" or data.dim() == 2:
        return torch.softmax(data, -1)
    return torch.softmax(_examples(data), 1).view(data.shape)


def _examples(data: Tensor) -> Tensor:
    return data.reshape(data.shape[0], product(tuple(data.shape[1:])) or 0)


def _gradient(probabilities: Tensor, label: Tensor, head: Tensor, options: _Options) -> Tensor:
    if label.shape == probabilities.shape:
        grad = probabilities - label
        if options.grad_scale != 1:
            grad = grad * options.grad_scale
    else:
        grad = _by_class(probabilities, label, options)
    return (grad * head if options.out_grad else grad).to(probabilities.dtype)


def _by_class(probabilities: Tensor, label: Tensor, options: _Options) -> Tensor:
    """Return the gradient where labels are the numbers of classes."""
    layout, alpha = options.layout, options.smooth_alpha
    found, ids = probabilities, label.to(torch.int64)
    if layout == "channels":
        found = found.reshape(*found.shape[:2], product(tuple(found.shape[2:])) or 0)
        ids = ids.reshape(found.shape[0], found.shape[2])
    elif layout == "rows":
        found, ids = found.reshape(-1, found.shape[-1]), ids.reshape(-1)
    elif found.dim() != 2 or ids.dim() != 1:
        found, ids = _examples(found), ids.reshape(-1)
    weight = options.grad_scale / _divisor(found, ids, options)
    if layout == "examples":
        ids = ids[: found.shape[0]]
    classes = found.shape[1]
    spread = alpha / max(classes - 1, 1)
    grad = found - spread if spread else found
    if options.use_ignore:
        weight = (ids != options.ignore_label).to(found.dtype) * weight
        grad = grad * weight.unsqueeze(1)
    elif isinstance(weight, Tensor) or weight != 1:
        grad = grad * weight
    change = (alpha + spread - 1) * weight
    if isinstance(change, Tensor) and change.dim():
        change = change.unsqueeze(1)
    return _subtract(grad, ids.unsqueeze(1), change).view(probabilities.shape)


def _subtract(grad: Tensor, ids: Tensor, change: Tensor | float) -> Tensor:
    """Return `grad` with a change at the labels' classes; labels outside of them change nothing."""
    nearest = ids.clamp(0, grad.shape[1] - 1)
    amount = (nearest == ids).to(grad.dtype) * change
    return grad.scatter_add(1, nearest, amount.to(grad.dtype))


def _subtract_quickly(grad: Tensor, ids: Tensor, number: float) -> Tensor | None:
    """Return `grad` with less at the labels' classes; None where some label may be outside.

    A few calls less than `_subtract`: a fifth of the time of a small net's last layer. A CPU's
    call checks each label, while a compiled graph or a GPU would end the program.
    """
    if type(grad) is not Tensor or not grad.is_cpu or torch.compiler.is_compiling():
        return None
    try:
        return grad.scatter(1, ids, -number, reduce="add")
    except RuntimeError:
        return None


def _divisor(found: Tensor, ids: Tensor, options: _Options) -> Tensor | float:
    if options.normalization == "valid":
        count = (ids != options.ignore_label).sum().clamp(min=1)
        return count.to(torch.promote_types(found.dtype, torch.float32))
    places = max(found.shape[2], 1) if found.dim() == 3 else 1
    if options.normalization == "null":
        return float(places)
    return float(max(ids.shape[0], 1) * places)
