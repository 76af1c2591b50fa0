"""An error in an operator's own code comes out as it was, whatever arrays the operator is given."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import pytest

import gluonish as mx
from gluonish import gluon, nd, np, npx
from gluonish.errors import (
    CustomOperatorError,
    OperandError,
    ShapeError,
    SparseStorageError,
    UnknownShapeError,
)
from gluonish.gluon import nn
from gluonish.ndarray.exchanges import wrap
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DENSE = nd.array([[1.0, 2.0], [3.0, 4.0]])
SPARSE = nd.array([[0.0, 2.0], [3.0, 0.0]]).tostype("csr")
ROWS = nd.array([[0.0, 2.0], [0.0, 0.0]]).tostype("row_sparse")
NP = np.ones((2, 2))
RAISED = AttributeError("a mistake of the operator's author")

CALLS: dict[str, Callable[[Any], object]] = {
    "function": nd.relu,
    "by name": lambda x: nd.relu(data=x),
    "two arrays": lambda x: nd.broadcast_hypot(x, DENSE),
    "two by name": lambda x: nd.broadcast_hypot(lhs=DENSE, rhs=x),
    "list": lambda x: nd.concat(*[x, DENSE], dim=0),
    "method": lambda x: x.clip(0, 1),
    "operator": lambda x: x - DENSE,
    "reflected operator": lambda x: 2 - x,
    "in place": lambda x: x.__imod__(2),
    "out": lambda x: nd.relu(x, out=nd.zeros((2, 2))),
    "name": lambda x: nd.relu(x, name="relu0"),
}


def mistaken(*_: object, **__: object) -> object:
    raise RAISED


def asks_for_memory(*_: object, **__: object) -> object:
    return SPARSE.tensor


@pytest.fixture
def replaced() -> Iterator[Callable[[Callable[..., Any]], None]]:
    """A function that has all operators call another function."""
    before: dict[Callable[..., Any], Callable[..., Any]] = {}  # what others have put there, too

    def replace(by: Callable[..., Any]) -> None:
        for function in {op.function for op in ops()}:
            wrap(function, lambda now, by=by, f=function: before.setdefault(f, now) and by)

    yield replace
    for function, then in before.items():
        wrap(function, lambda _, then=then: then)


def check(call: Callable[[], object], where: str = "mistaken") -> AttributeError:
    """Check that the very error comes out, from the line that raised it, and with no other one."""
    RAISED.__traceback__ = RAISED.__context__ = RAISED.__cause__ = None
    RAISED.__suppress_context__ = False
    with pytest.raises(AttributeError) as caught:
        call()
    error = caught.value
    assert error is RAISED
    assert error.args == ("a mistake of the operator's author",)
    assert error.__context__ is error.__cause__ is None
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.name, last.line) == (__file__, where, "raise RAISED")
    return error


@pytest.mark.parametrize("array", [DENSE, SPARSE, ROWS, NP], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("way", CALLS)
def test_attribute_error_of_an_operator_is_the_users(
    replaced: Callable[[Any], None], way: str, array
) -> None:
    replaced(mistaken)
    check(lambda: CALLS[way](array))


@pytest.mark.parametrize(
    "call",
    [
        lambda: npx.relu(NP),
        lambda: np.dot(NP, NP),
        lambda: np.dot(a=NP, b=NP),
        lambda: np.concatenate([NP, NP], axis=0),
        lambda: np.sum(NP, axis=0),
        lambda: NP.sum(),
        lambda: NP - 1,
        lambda: nd.zeros((2, 2)),
    ],
)
def test_attribute_error_of_an_operator_comes_out_of_np(
    replaced: Callable[[Any], None], call: Callable[[], object]
) -> None:
    replaced(mistaken)
    check(call)


@pytest.mark.parametrize("way", CALLS)
def test_operator_that_asks_a_sparse_array_for_memory_is_called_once(
    replaced: Callable[[Any], None], way: str
) -> None:
    count = 0

    def counting(*_: object, **__: object) -> object:
        nonlocal count
        count += 1
        return asks_for_memory()

    replaced(counting)
    with pytest.raises(SparseStorageError, match="Expected storage type 'default'"):
        CALLS[way](DENSE)
    assert count == 1


class Net(gluon.HybridBlock):
    """A Block whose parameter has an unknown length when `body` sees it first."""

    def __init__(self, body: Callable[[Any, Any, Any], Any]) -> None:
        super().__init__()
        self._body = body
        self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight):
        return self._body(F, x, weight)


def called(body: Callable[[Any, Any, Any], Any], *, hybridized: bool = False):
    net = Net(body)
    net.initialize()
    if hybridized:
        net.hybridize()
    return net(nd.ones((3, 4)))


@pytest.mark.parametrize("hybridized", [False, True])
def test_attribute_error_of_an_operator_comes_out_while_shapes_are_found(
    replaced: Callable[[Any], None], hybridized: bool
) -> None:
    def body(F, x, weight):
        return F.FullyConnected(x, weight, num_hidden=2, no_bias=True)

    replaced(mistaken)
    check(lambda: called(body, hybridized=hybridized))


@pytest.mark.parametrize("hybridized", [False, True])
def test_attribute_error_of_a_forward_comes_out_while_shapes_are_found(hybridized: bool) -> None:
    def body(F, x, weight):
        return F.FullyConnected(x.relu(), weight, num_hidden=x.bogus)

    with pytest.raises(AttributeError, match="'NDArray' object has no attribute 'bogus'") as caught:
        called(body, hybridized=hybridized)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "body"


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        lambda F, x, weight: weight.shape,
        lambda F, x, weight: weight[0],
        lambda F, x, weight: x[weight],
        lambda F, x, weight: len(weight),
        lambda F, x, weight: weight.asnumpy(),
        lambda F, x, weight: F.concat(x, weight, dim=0),
        lambda F, x, weight: weight.tostype("csr"),
        lambda F, x, weight: x.__setitem__(slice(None), weight),
    ],
)
def test_parameter_without_shape_says_so(body, hybridized: bool) -> None:
    told = r"Parameter 'net\d+_weight' of shape \(2, None\).*Give the parameter its full shape"
    with pytest.raises(UnknownShapeError, match=told):
        called(body, hybridized=hybridized)


@pytest.mark.parametrize(
    "body",
    [
        lambda F, x, weight: weight + 1,
        lambda F, x, weight: 1 - weight,
        lambda F, x, weight: weight.__iadd__(1),
        lambda F, x, weight: F.relu(weight),
        lambda F, x, weight: F.relu(data=weight),
        lambda F, x, weight: weight.relu(),
    ],
)
def test_operator_that_fixes_no_shape_says_so(body) -> None:
    with pytest.raises(ShapeError, match=r"'net\d+_weight' can't be inferred") as caught:
        called(body)
    assert caught.value.__context__ is None


def test_parameter_with_a_found_shape_is_an_array_like_others() -> None:
    def body(F, x, weight):
        y = F.FullyConnected(x, weight, num_hidden=2, no_bias=True)
        half = weight / 2
        half += weight[:]
        return y + half.sum() * 0

    assert called(body).shape == (3, 2)


class Mistaken(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux) -> None:
        raise RAISED


@mx.operator.register("mistaken_attribute")
class MistakenProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes) -> Mistaken:
        return Mistaken()


@pytest.mark.parametrize("array", [DENSE, SPARSE, NP], ids=lambda x: type(x).__name__)
def test_attribute_error_of_a_custom_operator_is_the_cause(array) -> None:
    with pytest.raises(CustomOperatorError, match="AttributeError: a mistake") as caught:
        nd.Custom(array, op_type="mistaken_attribute")
    assert caught.value.__cause__ is RAISED
    assert traceback.extract_tb(RAISED.__traceback__)[-1].line == "raise RAISED"


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("register", ["register_forward_hook", "register_forward_pre_hook"])
@pytest.mark.parametrize("units", [{}, {"in_units": 2}])
def test_attribute_error_of_a_hook_is_the_users(
    register: str, hybridized: bool, units: dict[str, int]
) -> None:
    net = nn.Dense(3, **units)
    net.initialize()
    net.hybridize(hybridized)
    getattr(net, register)(lambda *_: mistaken())
    check(lambda: net(DENSE))


class Index:
    def __index__(self) -> int:
        raise RAISED


def test_attribute_error_of_an_index_is_the_users() -> None:
    check(lambda: SPARSE[Index()], "__index__")


def test_what_is_no_array_is_named() -> None:
    for call in (lambda: nd.dot(DENSE, "abc"), lambda: nd.dot(DENSE, rhs="abc")):
        with pytest.raises(OperandError, match="dot: rhs='abc' was given. Expected an array"):
            call()


def test_out_that_does_not_fit_is_refused_beside_a_list() -> None:
    out = nd.zeros((3,))
    with pytest.raises(ShapeError, match=r"out has shape \(3,\)"):
        nd.add([1, 2], nd.ones(2), out=out)


def test_sparse_array_by_name_is_treated_as_one_by_position() -> None:
    by_position, by_name = nd.dot(DENSE, SPARSE), nd.dot(lhs=DENSE, rhs=SPARSE)
    assert by_position.stype == by_name.stype == "csr"
    assert (by_position.asnumpy() == by_name.asnumpy()).all()
