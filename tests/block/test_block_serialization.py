"""Tests of parameter files: what fits is loaded, all that does not is listed, nothing is halved."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    ContextError,
    DeferredInitializationError,
    DTypeError,
    InvalidArgumentError,
    MissingFileError,
    MXNetError,
    ParameterFileError,
    RefusedArgumentError,
    UninitializedParameterError,
)
from gluonish.gluon import nn

if TYPE_CHECKING:
    from pathlib import Path


def perceptron(*sizes: int, prefix: str = "net_") -> nn.HybridSequential:
    """Return Dense layers of known sizes."""
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        for inputs, outputs in itertools.pairwise(sizes):
            net.add(nn.Dense(outputs, in_units=inputs))
    return net


def deferred(*units: int) -> nn.HybridSequential:
    net = nn.HybridSequential()
    for size in units:
        net.add(nn.Dense(size))
    return net


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A file with the parameters of a 3-4-2 perceptron: weights 0, 1, 2, ..., biases 0."""
    net = perceptron(3, 4, 2)
    net.initialize()
    for layer in net:
        size = layer.weight.shape
        layer.weight.set_data(mx.nd.arange(size[0] * size[1]).reshape(size))
    net.save_parameters(str(tmp_path / "net.params"))
    return str(tmp_path / "net.params")


def assert_loaded(net: nn.HybridSequential) -> None:
    assert net[0].weight.data().asnumpy().tolist() == onp.arange(12.0).reshape(4, 3).tolist()
    assert net[1].weight.data().asnumpy().tolist() == onp.arange(8.0).reshape(2, 4).tolist()
    assert net[1].bias.data().asnumpy().tolist() == [0, 0]


# --- what fits -----------------------------------------------------------------------------


def test_file_holds_structural_names(path: str) -> None:
    assert list(mx.nd.load(path)) == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_uninitialized_block_is_loaded_where_the_context_says(path: str) -> None:
    net = perceptron(3, 4, 2)
    with mx.cpu(2):
        net.load_parameters(path)
    assert_loaded(net)
    assert net[0].weight.list_ctx() == [mx.cpu(2)]
    assert net[0].weight.grad().shape == (4, 3)


def test_several_contexts_get_a_copy_each(path: str) -> None:
    net = perceptron(3, 4, 2)
    contexts = [mx.cpu(0), mx.cpu(1)]
    net.load_parameters(path, ctx=contexts)
    assert net[0].weight.list_ctx() == contexts
    first, second = net[0].weight.list_data()
    first[:] = 0
    assert second.asnumpy().sum() == 66


def test_initialized_block_stays_on_its_contexts(path: str) -> None:
    net = perceptron(3, 4, 2)
    net.initialize(ctx=[mx.cpu(1), mx.cpu(2)])
    before = net[0].weight.list_data()
    net.load_parameters(path)
    assert net[0].weight.list_ctx() == [mx.cpu(1), mx.cpu(2)]
    for array, same in zip(before, net[0].weight.list_data(), strict=True):
        assert array is same
        assert array.asnumpy().sum() == 66


def test_block_of_unknown_sizes_takes_those_of_the_file(path: str) -> None:
    net = deferred(4, 2)
    net.load_parameters(path)
    assert net[0].weight.shape == (4, 3)
    assert_loaded(net)
    assert net(mx.nd.ones((1, 3))).shape == (1, 2)


def test_deferred_block_takes_the_sizes_of_the_file_on_its_context(path: str) -> None:
    net = deferred(4, 2)
    net.initialize(ctx=mx.cpu(1))
    net.load_parameters(path)
    assert_loaded(net)
    assert net[0].weight.list_ctx() == [mx.cpu(1)]


def test_average_of_all_contexts_is_saved(tmp_path: Path) -> None:
    net = nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    for value, array in enumerate(net.weight.list_data()):
        array[:] = value
    net.save_parameters(tmp_path / "x")
    assert mx.nd.load(tmp_path / "x")["weight"].asscalar() == 0.5


def test_missing_parameters_stay_if_allowed(path: str) -> None:
    net = perceptron(3, 4, 2, 5)
    net.load_parameters(path, allow_missing=True)
    assert_loaded(net)
    with pytest.raises(UninitializedParameterError):
        net[2].weight.data()


def test_extra_names_are_left_out_if_ignored(path: str) -> None:
    net = perceptron(3, 4)
    net.load_parameters(path, ignore_extra=True)
    assert net[0].weight.data().asnumpy().sum() == 66


@pytest.mark.parametrize("initialized", [False, True])
def test_dtype_of_the_block_or_of_the_file_wins(path: str, initialized: bool) -> None:
    for source, wanted in (("current", "float64"), ("saved", "float32")):
        net = perceptron(3, 4, 2)
        net.cast("float64")
        if initialized:
            net.initialize()
        net.load_parameters(path, cast_dtype=True, dtype_source=source)
        assert_loaded(net)
        assert net[0].weight.data().dtype == onp.dtype(wanted)
        assert net[0].weight.grad().dtype == onp.dtype(wanted)
        assert onp.dtype(net[0].weight.dtype) == onp.dtype(wanted)


def test_bfloat16_of_the_file_wins_too(tmp_path: Path) -> None:
    net = nn.Dense(2, in_units=2, use_bias=False)
    mx.nd.save(tmp_path / "x", {"weight": mx.nd.ones((2, 2)).astype("bfloat16")})
    net.load_parameters(tmp_path / "x", cast_dtype=True, dtype_source="saved")
    assert net.weight.data().tensor.dtype.is_floating_point
    assert net.weight.data().tensor.element_size() == 2


def test_hybridized_block_answers_with_loaded_values(path: str) -> None:
    net = deferred(4, 2)
    net.initialize(mx.init.Zero())
    net.hybridize()
    x = mx.nd.ones((1, 3))
    for _ in range(2):
        assert net(x).asnumpy().tolist() == [[0, 0]]
    net.load_parameters(path)
    for _ in range(2):
        assert net(x).asnumpy().tolist() == [[144, 408]]
    net.cast("float64")
    net.load_parameters(path, cast_dtype=True, dtype_source="saved")
    for _ in range(2):
        assert net(x).asnumpy().tolist() == [[144, 408]]


def test_constants_are_saved_and_loaded(tmp_path: Path) -> None:
    class Shift(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.by = self.params.get_constant("by", mx.nd.array([1, 2]))

        def hybrid_forward(self, F, x, by):
            return x + by

    net = Shift()
    net.initialize()
    net.save_parameters(tmp_path / "x")
    mx.nd.save(tmp_path / "y", {"by": mx.nd.array([5, 6])})
    other = Shift()
    other.load_parameters(tmp_path / "x")
    assert other.by.data().asnumpy().tolist() == [1, 2]
    other.load_parameters(tmp_path / "y")
    assert other(mx.nd.zeros((2,))).asnumpy().tolist() == [5, 6]


def test_bare_layer_has_names_without_dots(tmp_path: Path) -> None:
    net = nn.Dense(3, in_units=2, prefix="first_")
    net.initialize()
    net.save_parameters(tmp_path / "x")
    assert list(mx.nd.load(tmp_path / "x")) == ["weight", "bias"]
    other = nn.Dense(3, prefix="second_")
    other.load_parameters(tmp_path / "x")
    onp.testing.assert_array_equal(other.weight.data().asnumpy(), net.weight.data().asnumpy())


def test_block_without_parameters_is_saved_and_loaded(tmp_path: Path) -> None:
    nn.HybridSequential().save_parameters(tmp_path / "x")
    nn.HybridSequential().load_parameters(tmp_path / "x")


def test_arrays_are_those_of_np_in_numpy_mode(path: str) -> None:
    mx.npx.set_np()
    net = perceptron(3, 4, 2)
    net.load_parameters(path)
    assert type(net[0].weight.data()) is mx.np.ndarray
    net.save_parameters(path)
    mx.npx.reset_np()
    other = perceptron(3, 4, 2)
    other.load_parameters(path)
    assert type(other[0].weight.data()) is mx.nd.NDArray
    assert_loaded(other)


def test_safetensors_are_written_by_name_and_read_by_content(path: str, tmp_path: Path) -> None:
    net = perceptron(3, 4, 2)
    net.load_parameters(path)
    net.save_parameters(tmp_path / "net.safetensors")
    (tmp_path / "net.safetensors").rename(tmp_path / "copy.params")
    other = perceptron(3, 4, 2)
    other.load_parameters(tmp_path / "copy.params")
    assert_loaded(other)


def test_marks_of_an_export_are_read_with_structural_names(path: str) -> None:
    loaded = mx.nd.load(path)
    assert isinstance(loaded, dict)
    mx.nd.save(path, {f"arg:{name}": array for name, array in loaded.items()})
    net = perceptron(3, 4, 2)
    net.load_parameters(path)
    assert_loaded(net)


# --- shared parameters ---------------------------------------------------------------------


def tied() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="tied_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=2))
        net.add(nn.Dense(2, in_units=2, params=net[0].params))
    return net


def test_shared_parameter_is_saved_under_all_names_or_the_last(tmp_path: Path) -> None:
    net = tied()
    net.initialize()
    net.save_parameters(tmp_path / "all")
    net.save_parameters(tmp_path / "once", deduplicate=True)
    assert list(mx.nd.load(tmp_path / "all")) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert list(mx.nd.load(tmp_path / "once")) == ["1.weight", "1.bias"]
    for name in ("all", "once"):
        other = tied()
        other.load_parameters(tmp_path / name)
        assert other[0].weight is other[1].weight
        onp.testing.assert_array_equal(
            other[0].weight.data().asnumpy(), net[0].weight.data().asnumpy()
        )


def test_shared_parameter_is_saved_as_safetensors(tmp_path: Path) -> None:
    net = tied()
    net.initialize()
    net.save_parameters(tmp_path / "x.safetensors")
    tied().load_parameters(tmp_path / "x.safetensors")


# --- what does not fit ---------------------------------------------------------------------


def test_everything_that_does_not_fit_is_listed_at_once(path: str) -> None:
    loaded = mx.nd.load(path)
    assert isinstance(loaded, dict)
    loaded["1.bias"] = loaded["1.bias"].astype("float64")
    loaded["7.gamma"] = loaded["7.beta"] = mx.nd.ones((1,))
    mx.nd.save(path, loaded)
    net = perceptron(3, 5, 2, 6)
    net.initialize(mx.init.One(), ctx=mx.cpu(1))
    with pytest.raises(ParameterFileError) as caught:
        net.load_parameters(path, ctx=mx.cpu(0))
    assert str(caught.value).splitlines() == [
        (
            f"Loading {path!r} into HybridSequential 'net': they do not fit together, nothing was "
            f"changed. Expected equal names, shapes and dtypes."
        ),
        (
            "  '2.weight', '2.bias': missing in the file, which holds '0.weight', '0.bias', "
            "'1.weight', '1.bias', '7.gamma', '7.beta'. Build the Block with the layers of "
            "the file."
        ),
        (
            "  '7.gamma', '7.beta': not in the Block, which holds '0.weight', '0.bias', "
            "'1.weight', '1.bias', '2.weight', '2.bias'. Build the Block with the layers of the "
            "file."
        ),
        (
            "  '0.weight' is (4, 3) in the file and (5, 3) in the Block, '0.bias' is (4,) in the "
            "file and (5,) in the Block, '1.weight' is (2, 4) in the file and (2, 5) in the Block: "
            "of another shape. Build the Block with the sizes of the file, 4 in place of 5."
        ),
        (
            "  '1.bias' is float64 in the file and float32 in the Block: of another dtype. Set "
            "cast_dtype=True, or cast() the Block first."
        ),
        (
            "  '0.weight' was asked for on [cpu(0)] and is on [cpu(1)], '0.bias' was asked for on "
            "[cpu(0)] and is on [cpu(1)], '1.weight' was asked for on [cpu(0)] and is on [cpu(1)], "
            "'1.bias' was asked for on [cpu(0)] and is on [cpu(1)]: on other contexts. Leave ctx "
            "out, or call reset_ctx() first."
        ),
    ]
    for param in net.collect_params(".*weight").values():
        assert (param.data().asnumpy() == 1).all()


def test_error_is_what_mxnet_raises_for_each_of_these() -> None:
    for kind in (MXNetError, AssertionError, ValueError):
        assert issubclass(ParameterFileError, kind)


def test_long_lists_are_cut_at_ten(tmp_path: Path) -> None:
    mx.nd.save(tmp_path / "x", {f"{i}.w": mx.nd.ones((1,)) for i in range(13)})
    with pytest.raises(ParameterFileError, match=r"'9.w' and 3 more: not in the Block, which"):
        nn.HybridSequential().load_parameters(tmp_path / "x")


def test_uninitialized_block_stays_so_if_one_shape_is_wrong(path: str) -> None:
    net = perceptron(3, 4, 7)
    with pytest.raises(ParameterFileError, match=r"'1.weight' is \(2, 4\) in the file and \(7, 4"):
        net.load_parameters(path)
    with pytest.raises(UninitializedParameterError):
        net[0].weight.data()


def test_partly_known_shape_is_compared(path: str) -> None:
    net = deferred(5, 2)
    net.initialize()
    with pytest.raises(ParameterFileError, match=r"'0.weight' is \(4, 3\) .* and \(5, 0\) in the"):
        net.load_parameters(path)
    with pytest.raises(DeferredInitializationError):
        net[0].weight.data()


def test_number_of_dimensions_is_compared(tmp_path: Path) -> None:
    mx.nd.save(tmp_path / "x", {"weight": mx.nd.ones((4,)), "bias": mx.nd.ones((4, 1))})
    with pytest.raises(ParameterFileError, match=r"'weight' is \(4,\) in the file and \(4, 0\)"):
        nn.Dense(4).load_parameters(tmp_path / "x")


def test_deferred_block_is_not_moved_to_another_context(path: str) -> None:
    net = deferred(4, 2)
    net.initialize(ctx=mx.cpu(1))
    with pytest.raises(ParameterFileError, match=r"was asked for on \[cpu\(3\)\] and is on \[cpu"):
        net.load_parameters(path, ctx=mx.cpu(3))
    assert net[0].weight.list_ctx() == [mx.cpu(1)]


def test_context_that_is_not_there_is_refused_before_anything_changes(path: str) -> None:
    net = perceptron(3, 4, 2)
    with pytest.raises(ContextError, match=r"gpu\(99\)"):
        net.load_parameters(path, ctx=[mx.cpu(), mx.gpu(99)])
    with pytest.raises(UninitializedParameterError):
        net[0].bias.data()


def test_context_of_another_type_is_refused(path: str) -> None:
    with pytest.raises(ContextError, match=r"^ctx='disk' was given. Expected a context. Write"):
        perceptron(3, 4, 2).load_parameters(path, ctx=["disk"])


@pytest.mark.parametrize("cast_dtype", [False, True])
def test_unknown_dtype_source_is_refused(path: str, cast_dtype: bool) -> None:
    with pytest.raises(
        RefusedArgumentError, match=r"^dtype_source: 'file' was given. Expected 'cur"
    ):
        perceptron(3, 4, 2).load_parameters(path, cast_dtype=cast_dtype, dtype_source="file")


def test_list_of_arrays_is_no_parameter_file(path: str) -> None:
    mx.nd.save(path, [mx.nd.ones((1,))])
    with pytest.raises(ParameterFileError, match=r"it holds a list of 1 arrays without names"):
        perceptron(3, 4, 2).load_parameters(path)


def test_empty_file_lacks_every_parameter(path: str) -> None:
    mx.nd.save(path, [])
    with pytest.raises(ParameterFileError, match=r"missing in the file, which holds nothing"):
        perceptron(3, 4, 2).load_parameters(path)


def test_missing_file_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"^Loading '.*none.params': No such file"):
        perceptron(3, 4, 2).load_parameters(tmp_path / "none.params")


def test_uninitialized_and_deferred_blocks_are_not_saved(tmp_path: Path) -> None:
    with pytest.raises(UninitializedParameterError, match="'net_dense0_weight' has not been init"):
        perceptron(3, 4, 2).save_parameters(tmp_path / "x")
    net = deferred(4)
    net.initialize()
    with pytest.raises(DeferredInitializationError, match="initialization was deferred"):
        net.save_parameters(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


# --- files of ParameterDict ----------------------------------------------------------------


def test_parameter_dict_is_saved_by_full_name_and_loaded(tmp_path: Path) -> None:
    net = perceptron(3, 4, 2)
    net.initialize()
    net.collect_params().save(tmp_path / "full")
    net.collect_params().save(tmp_path / "less", strip_prefix="net_")
    assert next(iter(mx.nd.load(tmp_path / "full"))) == "net_dense0_weight"
    assert next(iter(mx.nd.load(tmp_path / "less"))) == "dense0_weight"
    wanted = net[1].weight.data().asnumpy()
    other = perceptron(3, 4, 2)
    other.collect_params().load(tmp_path / "full", ctx=mx.cpu(1))
    onp.testing.assert_array_equal(other[1].weight.data().asnumpy(), wanted)
    assert other[1].weight.list_ctx() == [mx.cpu(1)]
    other = perceptron(3, 4, 2)
    other.collect_params().load(tmp_path / "less", restore_prefix="net_")
    onp.testing.assert_array_equal(other[1].weight.data().asnumpy(), wanted)


def test_file_without_dots_is_read_with_the_prefix_of_the_block(tmp_path: Path) -> None:
    net = perceptron(3, 4, 2)
    net.initialize()
    net.save_params(tmp_path / "x")
    other = perceptron(3, 4, 2, prefix="another_")
    other.load_params(tmp_path / "x")
    onp.testing.assert_array_equal(other[1].weight.data().asnumpy(), net[1].weight.data().asnumpy())


def test_marks_of_an_export_are_stripped(tmp_path: Path) -> None:
    mx.nd.save(
        tmp_path / "x", {"arg:n_weight": mx.nd.ones((2, 2)), "aux:n_bias": mx.nd.zeros((2,))}
    )
    net = nn.Dense(2, prefix="n_")
    net.collect_params().load(tmp_path / "x")
    assert net.weight.data().asnumpy().sum() == 4


def test_dictionary_of_arrays_is_loaded() -> None:
    net = nn.Dense(2, prefix="n_")
    net.collect_params().load_dict({"n_weight": mx.nd.ones((2, 2))}, allow_missing=True)
    assert net.weight.data().asnumpy().sum() == 4
    with pytest.raises(ParameterFileError, match=r"^Loading 'param_dict' into ParameterDict 'n_'"):
        net.collect_params().load_dict({})
    with pytest.raises(ParameterFileError, match=r"^Loading 'x.params' into ParameterDict 'n_'"):
        net.collect_params().load_dict({}, filename="x.params")


@pytest.mark.parametrize("source", [{"n_weight": 3}, {3: mx.nd.ones((1,))}])
def test_dictionary_of_other_things_is_refused(source: dict[str, mx.nd.NDArray]) -> None:
    with pytest.raises(DTypeError, match=r"^param_dict: .* has a value of type .* Expected NDArr"):
        nn.Dense(2, prefix="n_").collect_params().load_dict(source)


def test_prefix_that_names_do_not_have_is_refused(tmp_path: Path) -> None:
    net = perceptron(3, 4, 2)
    net.initialize()
    with pytest.raises(
        InvalidArgumentError, match=r"prefix 'zz_' is to be stripped and net_dense0"
    ):
        net.collect_params().save(tmp_path / "x", strip_prefix="zz_")
    net.collect_params().save(tmp_path / "x")
    with pytest.raises(RefusedArgumentError, match=r"^restore_prefix is 'zz_' and net_dense0_weig"):
        net.collect_params().load(tmp_path / "x", restore_prefix="zz_")


def test_file_of_structural_names_says_how_to_load_it(tmp_path: Path) -> None:
    net = perceptron(4, 4, 4)
    net.initialize()
    net.save_parameters(tmp_path / "x")
    with pytest.raises(ParameterFileError, match=r"structural names: call net.load_parameters\(\)"):
        net.collect_params().load(tmp_path / "x")
