"""Random numbers for sparse arrays, as tests of MXNet programs ask for them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as onp

from gluonish.errors import InvalidArgumentError
from gluonish.ndarray.sparse import csr_matrix


def sparse_numbers(
    shape: tuple[int, ...], stype: str, density: float | None, distribution: str | None
) -> onp.ndarray[Any, Any]:
    """Return numbers from (0, 1], and zeros where a sparse array of a storage type stores none.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array.
    stype : {'row_sparse', 'csr'}
        Whether whole rows are 0, or single elements.
    density : float or None
        Share of what is not 0; a random one for None.
    distribution : {'uniform', 'powerlaw'} or None
        How the elements lie, for 'csr'.

    Raises
    ------
    InvalidArgumentError
        There is no such distribution.
    """
    if distribution not in (None, "uniform", "powerlaw"):
        msg = (
            f"rand_ndarray: distribution={distribution!r} was given: Distribution not supported. "
            f"Expected 'uniform' or 'powerlaw'. Leave it out."
        )
        raise InvalidArgumentError(msg)
    share = onp.random.rand() if density is None else density  # noqa: NPY002 - seeded by programs
    numbers: onp.ndarray[Any, Any] = 1 - onp.random.rand(*shape)  # noqa: NPY002 - none is 0
    if stype == "row_sparse":
        kept = onp.random.rand(shape[0]) < share  # noqa: NPY002
        return numbers * kept.reshape(-1, *[1] * (len(shape) - 1))
    if distribution != "powerlaw":
        return numbers * (onp.random.rand(*shape) < share)  # noqa: NPY002
    left, length = int(share * numbers.size), 1
    for row in numbers:
        count = min(length, left, len(row))
        row[count:] = 0
        left, length = left - count, length * 2
    return numbers


def shuffled_columns(csr: Any) -> Any:  # noqa: ANN401 - of storage type 'csr'
    """Return a csr array with the elements of each row in random order."""
    starts = csr.indptr.asnumpy()
    order = onp.arange(len(csr.indices))
    for first, last in itertools.pairwise(starts):
        onp.random.shuffle(order[first:last])  # noqa: NPY002
    data, indices = csr.data.asnumpy()[order], csr.indices.asnumpy()[order]
    return csr_matrix((data, indices, starts), shape=csr.shape, ctx=csr.context, dtype=csr.dtype)
