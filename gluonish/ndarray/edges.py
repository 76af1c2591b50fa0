"""Graphs of vertices and edges, held by csr matrices of edges' numbers: `mx.nd.contrib.dgl_*`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import numpy as onp
import torch

from gluonish.array.core import NDArray, wrap
from gluonish.array.sparse import CSRNDArray, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.tensors import plain
from gluonish.errors import DTypeError, InvalidArgumentError, InvalidIndexError, OperandError
from gluonish.errors.doors import door
from gluonish.ndarray.sparse_rules import write
from gluonish.random_streams.selection import choose_weighted_without, choose_without

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.context import Context

    Integers: TypeAlias = onp.ndarray[Any, onp.dtype[onp.int64]]
    Numbers: TypeAlias = onp.ndarray[Any, onp.dtype[onp.floating[Any]]]

_log = logging.getLogger(__name__)
_INT64: Final = torch.int64


def getnnz(data: NDArray, axis: int | None = None, out: NDArray | None = None) -> NDArray:
    """Return how many elements a csr matrix stores, zeros among them included.

    Parameters
    ----------
    data : NDArray
        The matrix.
    axis : int, optional
        0 counts each column, 1 each row; by default all are counted.
    out : NDArray, optional
        Where the result is written.

    Raises
    ------
    OperandError
        The array is none.
    InvalidArgumentError
        There is no such axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[0, 2, 1], [3, 0, 0]]).tostype('csr')
    >>> print(mx.nd.contrib.getnnz(x).asnumpy(), mx.nd.contrib.getnnz(x, axis=1).asnumpy())
    [3] [2 1]
    """
    parts, starts = _matrix(data, "getnnz")
    if axis is None:
        count = torch.tensor([parts.indices.numel()])
    elif axis == 0:
        count = torch.bincount(parts.indices, minlength=parts.shape[1])
    elif axis == 1:
        count = starts.diff()
    else:
        msg = (
            f"getnnz: Unexpected value for axis({axis!r}). Expected None, 0 or 1. Leave it out to "
            f"count all elements."
        )
        raise InvalidArgumentError(msg)
    result = wrap(count.to(parts.values.device), data.context, NDArray)
    return result if out is None else write(result, out, "getnnz")


def edge_id(data: NDArray, u: NDArray, v: NDArray, out: NDArray | None = None) -> NDArray:
    """Return the number of the edge from each of some vertices to another one; -1 without one.

    Parameters
    ----------
    data : NDArray
        The graph: row and column are an edge's ends, the element is its number.
    u, v : NDArray, shape (pairs,)
        Rows and columns.
    out : NDArray, optional
        Where the result is written.

    Raises
    ------
    OperandError
        The graph is no csr matrix.
    InvalidArgumentError
        `u` and `v` are not two vectors of one length.
    InvalidIndexError
        A vertex is not in the graph.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array([[1, 0, 0], [0, 2, 0], [0, 0, 3]]).tostype('csr')
    >>> u, v = mx.nd.array([0, 0, 1, 1, 2, 2]), mx.nd.array([0, 1, 1, 2, 0, 2])
    >>> print(mx.nd.contrib.edge_id(graph, u, v).asnumpy())
    [ 1. -1.  2. -1. -1.  3.]
    """
    parts, starts = _matrix(data, "edge_id")
    if u.ndim != 1 or u.shape != v.shape:
        msg = (
            f"edge_id: u and v of shapes {u.shape} and {v.shape} were given. Expected two vectors "
            f"of one length. Reshape them."
        )
        raise InvalidArgumentError(msg)
    rows, columns = plain(u).to(_INT64), plain(v).to(_INT64)
    height, width = parts.shape
    for name, places, end in (("u", rows, height), ("v", columns, width)):
        if places.numel() and not 0 <= int(places.min()) <= int(places.max()) < end:
            msg = (
                f"edge_id: {name} from {int(places.min())} to {int(places.max())} was given. "
                f"Expected vertices from 0 to {end - 1}. Number them as the graph does."
            )
            raise InvalidIndexError(msg)
    owners = torch.repeat_interleave(torch.arange(height, device=starts.device), starts.diff())
    keys, order = (owners * width + parts.indices).sort()
    wanted = rows * width + columns
    at = torch.searchsorted(keys, wanted)
    found = torch.full_like(wanted, -1).to(parts.values.dtype)
    if keys.numel():
        near = at.clamp(max=keys.numel() - 1)
        found = torch.where(keys[near] == wanted, parts.values[order[near]], found)
    result = wrap(found, data.context, NDArray)
    return result if out is None else write(result, out, "edge_id")


def dgl_adjacency(data: NDArray) -> NDArray:
    """Return a graph with ones, as float32, for the numbers of its edges.

    Parameters
    ----------
    data : NDArray, int64
        The graph.

    Raises
    ------
    OperandError, DTypeError
        It is no csr matrix of int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array([[7, 0], [0, 9]], dtype='int64').tostype('csr')
    >>> print(mx.nd.contrib.dgl_adjacency(graph).asnumpy())
    [[1. 0.]
     [0. 1.]]
    """
    parts, _ = _matrix(data, "dgl_adjacency")
    _check_numbers(data, "dgl_adjacency")
    ones = torch.ones_like(parts.values, dtype=torch.float32)
    return sparse_array(  # type: ignore[no-any-return]
        SparseTensor(parts.shape, ones, parts.indices, parts.indptr), data.context
    )


def dgl_subgraph(graph: NDArray, *data: NDArray, return_mapping: bool, **kwargs: Any) -> Any:
    """Return, for each of some sets of vertices, the graph of the edges between them.

    Parameters
    ----------
    graph : NDArray, int64
        The graph.
    *data : NDArray, int64
        The vertices of each set, ascending.
    return_mapping : bool
        Whether graphs of the same edges with their old numbers are returned, too, after the
        others.
    **kwargs
        MXNet's `num_args`.

    Returns
    -------
    CSRNDArray or list of CSRNDArray
        Graphs whose vertices and edges are numbered from 0.

    Raises
    ------
    OperandError, DTypeError
        Something is not a csr matrix, or a vector, of int64.
    InvalidArgumentError
        Vertices do not ascend.
    InvalidIndexError
        A vertex is not in the graph.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array(
    ...     [[1, 0, 0, 2], [3, 0, 4, 0], [0, 5, 0, 0], [0, 6, 7, 0]], dtype='int64').tostype('csr')
    >>> vertices = mx.nd.array([0, 1, 2], dtype='int64')
    >>> new, old = mx.nd.contrib.dgl_subgraph(graph, vertices, return_mapping=True)
    >>> print(new.data.asnumpy(), old.data.asnumpy(), new.indices.asnumpy())
    [0 1 2 3] [1 3 4 5] [0 0 2 1]
    """
    _check_count("dgl_subgraph", kwargs, 1 + len(data))
    _matrix(graph, "dgl_subgraph")
    _check_numbers(graph, "dgl_subgraph")
    sets = [_vertices(one, graph.shape[0], "dgl_subgraph") for one in data]
    for vertices in sets:
        if (onp.diff(vertices) < 0).any():
            msg = (
                f"dgl_subgraph: the vertices {vertices[:10].tolist()} were given. The input vertex "
                f"list has to be sorted. Sort it."
            )
            raise InvalidArgumentError(msg)
    numbers, columns, starts = _on_host(graph)
    new, old = [], []
    for vertices in sets:
        place = onp.full(graph.shape[1], -1, onp.int64)
        place[vertices] = onp.arange(len(vertices))
        edges, counts = _edges_of(starts, vertices)
        kept = place[columns[edges]] >= 0
        owners = onp.repeat(onp.arange(len(vertices)), counts)[kept]
        edges = edges[kept]
        size = (len(vertices), len(vertices))
        begins = _starts(onp.bincount(owners, minlength=len(vertices)))
        ends = place[columns[edges]]
        new.append(_graph(size, onp.arange(len(edges)), ends, begins, graph.context))
        old.append(_graph(size, numbers[edges], ends, begins, graph.context))
    return _listed([*new, *old] if return_mapping else new)


def dgl_graph_compact(
    *graph_data: NDArray,
    return_mapping: bool,
    graph_sizes: int | Sequence[int],
    **kwargs: Any,
) -> Any:
    """Return sampled graphs without the rows and columns of vertices that are not in them.

    Parameters
    ----------
    *graph_data : NDArray, and NDArray
        The graphs, and then the vertices of each, as they are sampled: the last number counts them.
    return_mapping : bool
        Whether graphs of the same edges with their old numbers are returned, too, after the
        others.
    graph_sizes : tuple of int, or int
        How many vertices each graph has.
    **kwargs
        MXNet's `num_args`.

    Returns
    -------
    CSRNDArray or list of CSRNDArray
        Graphs whose vertices and edges are numbered from 0.

    Raises
    ------
    OperandError, DTypeError
        Something is not a csr matrix, or a vector, of int64.
    InvalidArgumentError
        Sizes are others than those of the vertices, or a graph has edges to other vertices.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array([[0, 1, 0], [0, 0, 0], [2, 3, 0]], dtype='int64').tostype('csr')
    >>> vertices, sampled, layers = mx.nd.contrib.dgl_csr_neighbor_uniform_sample(
    ...     graph, mx.nd.array([0], dtype='int64'), num_neighbor=5, max_num_vertices=3)
    >>> print(vertices.asnumpy(), sampled.shape)
    [0 1 0 2] (3, 3)
    >>> mx.nd.contrib.dgl_graph_compact(
    ...     sampled, vertices, graph_sizes=2, return_mapping=False).shape
    (2, 2)
    """
    _check_count("dgl_graph_compact", kwargs, len(graph_data))
    half = len(graph_data) // 2
    sizes = (graph_sizes,) if isinstance(graph_sizes, int) else tuple(graph_sizes)
    if len(graph_data) % 2 or len(sizes) != half:
        msg = (
            f"dgl_graph_compact: {len(graph_data)} arrays and graph_sizes={graph_sizes!r} were "
            f"given. Expected graphs, as many vectors of vertices, and a size for each. Pass all "
            f"graphs before all vertices."
        )
        raise InvalidArgumentError(msg)
    new, old = [], []
    for graph, listed, size in zip(graph_data[:half], graph_data[half:], sizes, strict=True):
        _matrix(graph, "dgl_graph_compact")
        _check_numbers(graph, "dgl_graph_compact")
        told = _vector(listed, "dgl_graph_compact")
        if not len(told) or told[-1] != size or size >= len(told):
            msg = (
                f"dgl_graph_compact: graph_sizes={graph_sizes!r} was given for a graph of "
                f"{told[-1] if len(told) else 0} vertices. Expected the last number of each vector "
                f"of vertices. Write graph_sizes=(vertices[-1].asscalar(),)."
            )
            raise InvalidArgumentError(msg)
        vertices = told[:size]
        numbers, columns, starts = _on_host(graph)
        edges = onp.arange(starts[size])
        place = onp.full(graph.shape[1], -1, onp.int64)
        place[vertices] = onp.arange(size)
        ends = place[columns[edges]]
        if (ends < 0).any():
            msg = (
                f"dgl_graph_compact: an edge ends at vertex {columns[edges][ends < 0][0]}, which "
                f"is none of {vertices[:10].tolist()}. Expected edges between these. Sample with a "
                f"larger max_num_vertices."
            )
            raise InvalidArgumentError(msg)
        begins = starts[: size + 1]
        new.append(_graph((size, size), onp.arange(len(edges)), ends, begins, graph.context))
        old.append(_graph((size, size), numbers[edges], ends, begins, graph.context))
    return _listed([*new, *old] if return_mapping else new)


def dgl_csr_neighbor_uniform_sample(
    csr_matrix: NDArray,
    *seed_arrays: NDArray,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    **kwargs: Any,
) -> list[Any]:
    """Return random graphs around some vertices: their neighbours, and the neighbours of those.

    Parameters
    ----------
    csr_matrix : NDArray, int64
        The graph.
    *seed_arrays : NDArray, int64
        The vertices to begin with; each array gives a graph.
    num_hops : int, default 1
        How many edges away from these vertices are.
    num_neighbor : int, default 2
        How many edges, drawn at random, are followed from each vertex at most.
    max_num_vertices : int, default 100
        How many vertices a graph has at most.
    **kwargs
        MXNet's `num_args`.

    Returns
    -------
    list of NDArray and CSRNDArray
        For each graph its vertices, ascending, and their number at the end; then for each graph
        its edges, in the rows of its vertices and in the columns and by the numbers of the whole
        graph; then for each how many edges away its vertices are. What is left over is 0.

    Raises
    ------
    OperandError, DTypeError
        Something is not a csr matrix, or a vector, of int64.
    InvalidArgumentError
        There are more vertices to begin with than a graph may have.
    InvalidIndexError
        A vertex is not in the graph.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype='int64').tostype('csr')
    >>> vertices, edges, layers = mx.nd.contrib.dgl_csr_neighbor_uniform_sample(
    ...     graph, mx.nd.array([0], dtype='int64'), num_neighbor=2, max_num_vertices=4)
    >>> print(vertices.asnumpy(), edges.data.asnumpy(), layers.asnumpy())
    [0 1 2 0 3] [1 2] [0 1 1 0]
    """
    where = "dgl_csr_neighbor_uniform_sample"
    _check_count(where, kwargs, 1 + len(seed_arrays))
    limits = (num_hops, num_neighbor, max_num_vertices)
    found = _samples(csr_matrix, seed_arrays, limits, where, None)
    return [graph[part] for part in (0, 1, 2) for graph in found]


def dgl_csr_neighbor_non_uniform_sample(
    csr_matrix: NDArray,
    probability: NDArray,
    *seed_arrays: NDArray,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    **kwargs: Any,
) -> list[Any]:
    """Return random graphs around some vertices, to some of whose neighbours edges lead rather.

    Parameters
    ----------
    csr_matrix : NDArray, int64
        The graph.
    probability : NDArray, shape (vertices,)
        How probable edges to each vertex are.
    *seed_arrays : NDArray, int64
        The vertices to begin with; each array gives a graph.
    num_hops, num_neighbor, max_num_vertices
        As for `dgl_csr_neighbor_uniform_sample`.
    **kwargs
        MXNet's `num_args`.

    Returns
    -------
    list of NDArray and CSRNDArray
        For each graph its vertices, then for each its edges, then for each the probabilities of
        its vertices, then for each how many edges away these are.

    Raises
    ------
    OperandError, DTypeError
        Something is not a csr matrix, or a vector, of int64.
    InvalidArgumentError
        There are more vertices to begin with than a graph may have, or other probabilities than
        vertices.
    InvalidIndexError
        A vertex is not in the graph.

    Examples
    --------
    >>> import gluonish as mx
    >>> graph = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype='int64').tostype('csr')
    >>> found = mx.nd.contrib.dgl_csr_neighbor_non_uniform_sample(
    ...     graph, mx.nd.array([0.2, 0.3, 0.5]), mx.nd.array([0], dtype='int64'))
    >>> print(found[2].asnumpy()[:3], found[1].data.asnumpy())
    [0.2 0.3 0.5] [1 2]
    """
    where = "dgl_csr_neighbor_non_uniform_sample"
    _check_count(where, kwargs, 2 + len(seed_arrays))
    if probability.shape != (csr_matrix.shape[0],):
        msg = (
            f"{where}: probabilities of shape {probability.shape} were given. Expected one for "
            f"each of the {csr_matrix.shape[0]} vertices. Pass a vector of them."
        )
        raise InvalidArgumentError(msg)
    weights = probability.asnumpy()
    limits = (num_hops, num_neighbor, max_num_vertices)
    found = _samples(csr_matrix, seed_arrays, limits, where, weights)
    return [graph[part] for part in (0, 1, 3, 2) for graph in found]


def _samples(
    graph: NDArray,
    seeds: Sequence[NDArray],
    limits: tuple[int, int, int],
    where: str,
    weights: Numbers | None,
) -> list[tuple[Any, ...]]:
    """Return vertices, edges, distances and probabilities of a sampled graph for each seed."""
    _matrix(graph, where)
    _check_numbers(graph, where)
    starts = [_vertices(one, graph.shape[0], where) for one in seeds]
    for vertices in starts:
        if len(vertices) > limits[2]:
            msg = (
                f"{where}: max_num_vertices={limits[2]} was given for {len(vertices)} vertices to "
                f"begin with. Expected at least as many. Make it larger."
            )
            raise InvalidArgumentError(msg)
    return [_sample(graph, vertices, limits, weights) for vertices in starts]


def _sample(
    graph: NDArray, seed: Integers, limits: tuple[int, int, int], weights: Numbers | None
) -> tuple[Any, ...]:
    hops, most, room = limits
    numbers, columns, starts = _on_host(graph)
    layers: dict[int, int] = dict.fromkeys(seed.tolist(), 0)
    queue, at = list(layers), 0
    chosen: dict[int, Integers] = {}
    while at < len(queue) and len(queue) < room:
        vertex, at = queue[at], at + 1
        if layers[vertex] >= hops:
            continue
        edges = onp.arange(starts[vertex], starts[vertex + 1])
        if len(edges) > most:
            if weights is None:
                picked = choose_without(len(edges), most)
            else:
                picked = choose_weighted_without(weights[columns[edges]], most)
            edges = edges[onp.sort(picked)]
        chosen[vertex] = edges
        for end in columns[edges].tolist():
            if end not in layers and len(queue) < room:
                layers[end] = layers[vertex] + 1
                queue.append(end)
    if at < len(queue) and any(layers[vertex] < hops for vertex in queue[at:]):
        _log.warning(
            "The sampling is truncated because we have reached the max number of vertices. "
            "Please use a smaller number of seeds or a small neighborhood"
        )
    vertices = onp.array(sorted(layers), onp.int64)
    nothing = onp.zeros(0, onp.int64)
    rows = [chosen.get(vertex, nothing) for vertex in vertices.tolist()]
    counts = onp.zeros(room, onp.int64)
    counts[: len(rows)] = [len(edges) for edges in rows]
    edges = onp.concatenate([*rows, nothing])
    ctx = graph.context
    shape = (room, graph.shape[1])
    listed = onp.zeros(room + 1, onp.int64)
    listed[: len(vertices)], listed[-1] = vertices, len(vertices)
    distances = onp.zeros(room, onp.int64)
    distances[: len(vertices)] = [layers[vertex] for vertex in vertices.tolist()]
    found = (
        _array(listed, ctx),
        _graph(shape, numbers[edges], columns[edges], _starts(counts), ctx),
        _array(distances, ctx),
    )
    if weights is None:
        return found
    its = onp.zeros(room, weights.dtype)
    its[: len(vertices)] = weights[vertices]
    return (*found, _array(its, ctx))


# --- what is given, and what comes back ---------------------------------------------------------


def _matrix(data: Any, where: str) -> tuple[SparseTensor, torch.Tensor]:
    if not isinstance(data, CSRNDArray):
        msg = (
            f"{where}: an array of type {type(data).__name__} was given. Expected a CSRNDArray. "
            f"Write x.tostype('csr')."
        )
        raise OperandError(msg)
    parts = parts_of(data)
    assert parts.indptr is not None  # noqa: S101 - for the type checker
    return parts, parts.indptr


def _check_numbers(array: NDArray, where: str) -> None:
    if array.dtype != onp.int64:
        msg = (
            f"{where}: an array of {onp.dtype(array.dtype).name} was given. Expected int64. Write "
            f"x.astype('int64')."
        )
        raise DTypeError(msg)


def _vector(array: NDArray, where: str) -> Integers:
    if not isinstance(array, NDArray) or array.stype != "default" or array.ndim != 1:
        kind = type(array).__name__
        msg = (
            f"{where}: an array of type {kind} and shape {getattr(array, 'shape', None)} was given "
            f"for vertices. Expected a dense vector. Write mx.nd.array([...], dtype='int64')."
        )
        raise OperandError(msg)
    _check_numbers(array, where)
    return array.asnumpy()


def _vertices(array: NDArray, count: int, where: str) -> Integers:
    found = _vector(array, where)
    if len(found) and not 0 <= found.min() <= found.max() < count:
        msg = (
            f"{where}: vertices from {found.min()} to {found.max()} were given. Expected 0 to "
            f"{count - 1}. Number them as the graph does."
        )
        raise InvalidIndexError(msg)
    return found


def _check_count(where: str, given: dict[str, Any], count: int) -> None:
    """Check MXNet's argument `num_args`, which says how many arrays there are."""
    told = given.pop("num_args", count)
    if given or told != count:
        msg = (
            f"{where}: { ({**given, 'num_args': told}) } was given beside {count} arrays. Expected "
            f"num_args={count} and nothing else. Leave it out."
        )
        raise InvalidArgumentError(msg)


def _on_host(graph: Any) -> tuple[Integers, Integers, Integers]:
    parts, starts = _matrix(graph, "")
    return parts.values.cpu().numpy(), parts.indices.cpu().numpy(), starts.cpu().numpy()


def _edges_of(starts: Integers, vertices: Integers) -> tuple[Integers, Integers]:
    """Return where the edges of some vertices are, one after the other, and how many each has."""
    counts = starts[vertices + 1] - starts[vertices]
    before = onp.repeat(starts[vertices] - _starts(counts)[:-1], counts)
    return onp.arange(counts.sum()) + before, counts


def _starts(counts: Integers) -> Integers:
    return onp.concatenate([[0], onp.cumsum(counts)]).astype(onp.int64)


def _array(values: Any, ctx: Context) -> NDArray:
    return wrap(torch.from_numpy(values).to(ctx.device), ctx, NDArray)


def _graph(
    shape: tuple[int, int], values: Integers, columns: Integers, starts: Integers, ctx: Context
) -> NDArray:
    tensors = [torch.from_numpy(each).to(ctx.device) for each in (values, columns, starts.copy())]
    found: NDArray = sparse_array(SparseTensor(shape, *tensors), ctx)
    return found


def _listed(graphs: list[NDArray]) -> Any:
    return graphs[0] if len(graphs) == 1 else graphs


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: door(function)
    for function in (
        dgl_adjacency,
        dgl_csr_neighbor_non_uniform_sample,
        dgl_csr_neighbor_uniform_sample,
        dgl_graph_compact,
        dgl_subgraph,
        edge_id,
        getnnz,
    )
}
