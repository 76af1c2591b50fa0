"""Functions of NumPy, matplotlib and Pillow, given our arrays and given NumPy's."""

from __future__ import annotations

import io
import pickle

import numpy as onp
import pytest
from closeness import assert_close
from matplotlib.figure import Figure
from PIL import Image

import gluonish as mx

MATRIX = onp.array([[1, 2, 0], [3, 0, 4], [5, 6, 7]], "float32")
VECTOR = onp.array([3, 1, 2, 5, 4], "float32")
KINDS = {
    "nd": lambda values: mx.nd.array(values, dtype=values.dtype),
    "np": lambda values: mx.np.array(values, dtype=values.dtype),
    "csr": lambda values: mx.nd.array(values).tostype("csr"),
    "row_sparse": lambda values: mx.nd.array(values).tostype("row_sparse"),
}


def drawn(draw, values):
    """Return what a plot of values consists of."""
    axes = Figure().subplots()
    draw(axes, values)
    shapes = [*axes.lines, *axes.patches, *axes.collections, *axes.images]
    return len(shapes), [round(float(bound), 4) for bound in axes.dataLim.bounds]


PLOTS = {
    "plot": lambda axes, x: axes.plot(x),
    "plot of two": lambda axes, x: axes.plot(x, x),
    "scatter": lambda axes, x: axes.scatter(x, x, c=x, s=x),
    "hist": lambda axes, x: axes.hist(x),
    "boxplot": lambda axes, x: axes.boxplot(x),
    "violinplot": lambda axes, x: axes.violinplot(x),
    "pie": lambda axes, x: axes.pie(x),
    "stem": lambda axes, x: axes.stem(x),
    "fill_between": lambda axes, x: axes.fill_between(range(5), x),
    "errorbar": lambda axes, x: axes.errorbar(range(5), x, yerr=x),
    "hist2d": lambda axes, x: axes.hist2d(x, x, bins=3),
    "stackplot": lambda axes, x: axes.stackplot(range(5), x),
}


@pytest.mark.parametrize("kind", ["nd", "np"])
@pytest.mark.parametrize("plot", PLOTS)
def test_plots_of_vectors_are_those_of_numpys(plot, kind):
    assert drawn(PLOTS[plot], KINDS[kind](VECTOR)) == drawn(PLOTS[plot], VECTOR)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("plot", ["plot", "imshow", "contour", "pcolormesh", "matshow", "spy"])
def test_plots_of_matrices_are_those_of_numpys(plot, kind):
    def draw(axes, values):
        getattr(axes, plot)(values)

    assert drawn(draw, KINDS[kind](MATRIX)) == drawn(draw, MATRIX)


@pytest.mark.parametrize("kind", ["nd", "np"])
def test_lines_stand_at_numbers_in_arrays(kind):
    def draw(axes, value):
        axes.axvline(value)
        axes.axhline(value)
        axes.set_xlim(0, value)

    number = onp.array(2.5, "float32")
    assert drawn(draw, KINDS[kind](number)) == drawn(draw, float(number))


NAMES = """
asarray array ascontiguousarray cumsum argmax sort ravel sqrt isnan unique fliplr rot90 trace tril
median ptp copy atleast_2d zeros_like nan_to_num std sum
"""
FUNCTIONS = {
    **{name: getattr(onp, name) for name in NAMES.split()},
    "norm": onp.linalg.norm,
    "det": onp.linalg.det,
    "inv": onp.linalg.inv,
    "fft": onp.fft.fft,
    "percentile": lambda x: onp.percentile(x, 50),
    "concatenate": lambda x: onp.concatenate([x, x]),
    "einsum": lambda x: onp.einsum("ij,jk", x, x),
    "where": lambda x: onp.where(x, 1, 0),
    "save": lambda x: saved(x),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "assignment": lambda x: assigned(x),
    "product": lambda x: MATRIX * x,
    "sum with one": lambda x: x + MATRIX,
}


def saved(values):
    file = io.BytesIO()
    onp.save(file, values)
    file.seek(0)
    return onp.load(file)


def assigned(values):
    target = onp.zeros((3, 3), "float32")
    target[:] = values
    return target


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_numpy_give_the_same_for_our_arrays(function, kind):
    found = FUNCTIONS[function](KINDS[kind](MATRIX))
    values = found.asnumpy() if isinstance(found, mx.nd.NDArray) else found
    assert onp.asarray(values).dtype != object
    assert_close(onp.squeeze(values), onp.squeeze(FUNCTIONS[function](MATRIX)))


@pytest.mark.parametrize("kind", ["nd", "np"])
def test_pictures_are_made_of_arrays_by_way_of_numpy(kind):
    pixels = (onp.arange(48).reshape(4, 4, 3) * 5).astype("uint8")
    picture = Image.fromarray(KINDS[kind](pixels).to_numpy())
    assert (onp.asarray(picture) == pixels).all()


@pytest.mark.parametrize("kind", KINDS)
def test_to_numpy_is_asnumpy(kind):
    array = KINDS[kind](MATRIX)
    assert type(array.to_numpy()) is onp.ndarray
    assert (array.to_numpy() == MATRIX).all()
