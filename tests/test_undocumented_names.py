"""Names that MXNet does not document and programs import; values are those of MXNet 1.9.1."""

from __future__ import annotations

import array
import multiprocessing
import pickle
from multiprocessing.pool import ThreadPool
from multiprocessing.reduction import ForkingPickler

import numpy as onp
import pytest

import gluonish as mx
from gluonish import base
from gluonish.gluon import block, nn
from gluonish.gluon.data import dataloader
from gluonish.gluon.rnn import rnn_cell
from gluonish.numpy_dispatch_protocol import (
    _NUMPY_ARRAY_FUNCTION_LIST,
    _NUMPY_ARRAY_UFUNC_LIST,
    with_array_function_protocol,
    with_array_ufunc_protocol,
)
from gluonish.numpy_op_signature import _get_builtin_op

X = mx.nd.array([[1.0, 2.0], [3.0, 4.0]])


def values(arrays):
    return [each.asnumpy().tolist() for each in arrays]


def test_arrays_and_texts_of_c_hold_what_they_are_made_of():
    assert list(base.c_array(base.mx_float, [0.5, 2.0])) == [0.5, 2.0]
    assert list(base.c_array_buf(base.mx_int, array.array("i", [1, 2]))) == [1, 2]
    assert base.c_str("data").value == b"data"
    assert list(base.c_str_array(["a", "b"])) == [b"a", b"b"]
    assert base.NDArrayHandle().value is None
    assert base.check_call(0) is None


def test_the_library_in_c_is_refused_with_the_name_that_was_asked_for():
    with pytest.raises(mx.MXNetError, match=r"base\._LIB\.MXNDArrayCreate: .* no such library"):
        base._LIB.MXNDArrayCreate()
    assert not hasattr(base._LIB, "MXNDArrayCreate")
    with pytest.raises(mx.MXNetError, match="base.check_call: -1 was given"):
        base.check_call(-1)
    with pytest.raises(mx.MXNetError, match="_new_empty_handle: a handle .* Make an array with"):
        mx.nd.ndarray._new_empty_handle()
    with pytest.raises(mx.MXNetError, match="rebuild_ndarray: memory 3 of process 1 for an array"):
        dataloader.rebuild_ndarray(1, 3, (2,), "float32")


def test_null_stands_for_an_argument_that_is_not_given():
    assert mx.nd.sum(X, axis=base._Null, keepdims=base._Null).shape == (1,)
    assert mx.nd.exp(X, axis=base._Null).shape == (2, 2)
    assert mx.sym.sum(mx.sym.var("x"), axis=base._Null, name="s").attr_dict() == {}
    assert repr(base._Null) == "_Null"


def test_the_folder_for_data_follows_the_environment(monkeypatch):
    monkeypatch.setenv("MXNET_HOME", "/somewhere")
    assert base.data_dir() == "/somewhere"
    monkeypatch.delenv("MXNET_HOME")
    assert base.data_dir() == base.data_dir_default()


def test_the_context_in_force_can_be_read_and_set():
    assert mx.Context.default_ctx == mx.cpu(0)
    with mx.cpu(1):
        assert mx.Context.default_ctx == mx.Context._default_ctx.value == mx.cpu(1)
        mx.Context._default_ctx.value = mx.cpu(2)
        assert mx.nd.ones(1).context == mx.cpu(2)
    assert mx.current_context() == mx.cpu(0)


def test_managers_and_scopes_in_force_can_be_read():
    with mx.name.NameManager() as manager:
        assert mx.name.NameManager._current.value is manager
        mx.sym.exp(mx.sym.var("x"))
        assert manager._counter == {"exp": 1}
    with mx.AttrScope(ctx_group="a") as scope:
        assert mx.AttrScope._current.value is scope
        assert scope._attr == {"ctx_group": "a"}
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        assert block._BlockScope._current.value is net._scope
        assert block._BlockScope.create(None, None, "dense")[0] == "net_dense0_"
        assert net._scope._counter == {"dense": 1}


def test_nested_lists_are_flattened_and_regrouped():
    given = [X, [X, None, [X]]]
    flat, fmt = block._flatten(given, "input")
    assert [each is X for each in flat] == [True, True, False, True]
    assert fmt == [0, [0, -1, [0]]]
    assert block._regroup(flat, fmt) == (given, [])
    assert block._flatten(X, "input")[1] == 0
    assert block._flatten([mx.sym.var("x")], "input")[1] == [0]
    assert block._flatten(mx.sym.split(mx.sym.var("x"), num_outputs=3), "input")[1] == 3
    assert block._regroup([1, 2, 3], 2) == ([1, 2], [3])
    with pytest.raises(ValueError, match=r"must be \(nested\) list of Symbol or NDArray, but got"):
        block._flatten({"a": X}, "input")
    with pytest.raises(ValueError, match="Received arg = 1, fmt = -1"):
        block._regroup([1], -1)
    assert block._gather_type_ctx_info([X, [mx.sym.var("x")]]) == (True, True, {mx.cpu()}, mx.cpu())


def test_texts_of_blocks_are_mxnets():
    assert block._indent("a\nb", 2) == mx.gluon.utils._indent("a\nb", 2) == "a\n  b"
    assert block._common_prefix(["abc", "abd"]) == "ab"
    given = "'a', 'b', 'c', ..., 'h', 'i', 'j', 'k'"
    assert block._brief_print_list(list("abcdefghijk")) == given
    assert block.HookHandle is mx.gluon.utils.HookHandle
    assert mx.gluon.tensor_types == block.tensor_types == (mx.sym.Symbol, mx.nd.NDArray)


def test_workers_of_other_dataloaders_give_batches():
    data = mx.gluon.data.SimpleDataset([1.0, 2.0, 3.0, 4.0, 5.0])
    sampler = mx.gluon.data.BatchSampler(mx.gluon.data.SequentialSampler(5), 2)
    batchify = dataloader.default_batchify_fn
    assert dataloader._thread_worker_fn([0, 2], batchify, data).asnumpy().tolist() == [1, 3]
    dataloader._worker_initializer(data, False, False)
    assert pickle.loads(dataloader._worker_fn([1], batchify)).asnumpy().tolist() == [2]
    calls = []

    class Counting(dataloader._MultiWorkerIter):
        def _push_next(self):
            calls.append(self._sent_idx)
            super()._push_next()

    with ThreadPool(2) as pool:
        for worker in (dataloader._worker_fn, dataloader._thread_worker_fn):
            calls.clear()
            batches = Counting(pool, batchify, sampler, worker_fn=worker, prefetch=2, dataset=data)
            assert calls == [0, 1]
            assert len(batches) == 3
            assert values(batches) == [[1, 2], [3, 4], [5]]
            assert calls == [0, 1, 2, 3, 3, 3]


def test_arrays_travel_through_queues_and_connections():
    for kind in (dataloader.Queue, dataloader.SimpleQueue):
        queue = kind()
        queue.put([X])
        assert values(queue.get()) == values([X])
    here, there = map(dataloader.ConnectionWrapper, multiprocessing.Pipe())
    here.send((1, X))
    assert there.poll(1)
    assert there.recv()[1].asnumpy().tolist() == X.asnumpy().tolist()
    make, arguments, *_ = dataloader.reduce_ndarray(X)
    assert make(*arguments).asnumpy().tolist() == X.asnumpy().tolist()
    assert dataloader.ForkingPickler is ForkingPickler


def test_sequences_are_formatted_as_for_mxnets_cells():
    x = mx.nd.arange(24).reshape((2, 3, 4))
    steps = [x[:, 0], x[:, 1], x[:, 2]]
    whole, axis, frontend, size = rnn_cell._format_sequence(3, steps, "NTC", True)
    assert (axis, frontend, size) == (1, mx.nd, 2)
    assert values([whole]) == values([x])
    assert values(rnn_cell._format_sequence(3, x, "NTC", False)[0]) == values(steps)
    assert rnn_cell._format_sequence(3, x, "NTC", None)[0] is x
    turned, axis, _, size = rnn_cell._format_sequence(3, x, "TNC", True, in_layout="NTC")
    assert (turned.shape, axis, size) == ((3, 2, 4), 0, 2)
    split = rnn_cell._format_sequence(None, x, "TNC", False)
    assert [each.shape for each in split[0]] == [(3, 4), (3, 4)]
    assert split[1:] == (0, mx.nd, 3)


def test_sequences_are_masked_and_reversed():
    x = mx.nd.ones((2, 3, 1))
    steps = [x[:, 0], x[:, 1], x[:, 2]]
    lengths = mx.nd.array([1, 2])
    masked = rnn_cell._mask_sequence_variable_length(mx.nd, steps, 3, lengths, 1, True)
    assert masked[:, :, 0].asnumpy().tolist() == [[1, 0, 0], [1, 1, 0]]
    split = rnn_cell._mask_sequence_variable_length(mx.nd, steps, 3, lengths, 1, False)
    assert values(split) == [[[1], [1]], [[0], [1]], [[0], [0]]]
    pair = [mx.nd.array([[1.0]]), mx.nd.array([[2.0]])]
    assert values(rnn_cell._reverse_sequences(pair, 2)) == [[[2]], [[1]]]
    assert values(rnn_cell._reverse_sequences(pair, 2, mx.nd.array([1]))) == [[[1]], [[2]]]


def test_states_of_several_cells_are_one_list():
    cells = [rnn_cell.LSTMCell(3), rnn_cell.GRUCell(2)]
    shapes = [each["shape"] for each in rnn_cell._cells_state_info(cells, 5)]
    assert shapes == [(5, 3), (5, 3), (5, 2)]
    states = rnn_cell._cells_begin_state(cells, batch_size=4)
    assert [each.shape for each in states] == [(4, 3), (4, 3), (4, 2)]
    assert rnn_cell._get_begin_state(cells[0], mx.nd, [1], X, 2) == [1]
    made = rnn_cell._get_begin_state(cells[1], mx.nd, None, X, 2)
    assert values(made) == [[[0, 0], [0, 0]]]


def test_layers_of_others_derive_from_the_private_ones():
    settings = {"kernel": (3, 3), "num_filter": 4, "no_bias": True}
    shapes = nn.conv_layers._infer_weight_shape("Convolution", (1, 3, 8, 8), settings)
    assert shapes == [(1, 3, 8, 8), (4, 3, 3, 3)]

    class Upsampled(nn.conv_layers._Conv):
        def __init__(self):
            super().__init__(
                2, (2, 2), (2, 2), (0, 0), (1, 1), 1, "NCHW", op_name="Deconvolution", adj=(0, 0)
            )

    layer = Upsampled()
    layer.initialize()
    assert layer(mx.nd.ones((1, 3, 4, 4))).shape == (1, 2, 8, 8)
    assert layer.weight.shape == (3, 2, 2, 2)
    assert issubclass(nn.BatchNorm, nn.basic_layers._BatchNorm)
    assert issubclass(nn.MaxPool2D, nn.conv_layers._Pooling)


def test_tables_of_arrays_are_mxnets():
    table = mx.nd.ndarray
    assert table._STORAGE_TYPE_STR_TO_ID["csr"] == table._STORAGE_TYPE_CSR == 2
    assert table._STORAGE_TYPE_ID_TO_STR[table._STORAGE_TYPE_ROW_SPARSE] == "row_sparse"
    assert (table._STORAGE_TYPE_UNDEFINED, table._STORAGE_TYPE_DEFAULT) == (-1, 0)
    assert table._DTYPE_NP_TO_MX[onp.float16] == 2
    assert table._DTYPE_MX_TO_NP[6] is onp.int64
    assert table._DTYPE_NP_TO_MX[None] == -1
    assert table.py_slice is slice
    assert isinstance(X, table.NDArrayBase)
    assert isinstance(mx.sym.var("x"), mx.symbol.symbol.SymbolBase)
    maps = (table._GRAD_REQ_MAP, mx.symbol.symbol._GRAD_REQ_MAP, mx.autograd._GRAD_REQ_MAP)
    assert maps == ({"null": 0, "write": 1, "add": 3},) * 3
    assert mx.metric.ndarray is mx.nd
    assert mx.metric.numpy is onp


def test_scopes_set_and_restore_what_they_say():
    with mx.autograd._RecordingStateScope(True, False):
        assert (mx.autograd.is_recording(), mx.autograd.is_training()) == (True, False)
    assert not mx.autograd.is_recording()
    heads, grads = mx.autograd._parse_head(X, None)
    assert heads[0] is X
    assert grads is None
    with mx.util._NumpyShapeScope(True), mx.util._NumpyArrayScope(True):
        assert (mx.util.is_np_shape(), mx.util.is_np_array()) == (True, True)
    assert not mx.util.is_np_array()


def test_numpys_protocols_need_no_decorator():
    x = mx.np.array([1.0, 3.0])
    assert with_array_function_protocol(lambda: onp.mean(x))() == 2
    assert with_array_ufunc_protocol(lambda: onp.add(x, x))().tolist() == [2, 6]
    assert {"mean", "concatenate"} <= {*_NUMPY_ARRAY_FUNCTION_LIST}
    assert {"add", "exp"} <= {*_NUMPY_ARRAY_UFUNC_LIST}
    assert _get_builtin_op("_np_sum") is mx.np.sum
    assert _get_builtin_op("_npx_relu") is mx.npx.relu
    assert _get_builtin_op("_np_nothing") is None


def test_what_iterators_modules_and_pictures_read_is_mxnets():
    found = mx.io.io._init_data({"b": X, "a": onp.ones(2)}, False, "data")
    assert [name for name, _ in found] == ["a", "b"]
    assert [name for name, _ in mx.io._init_data([X, X], True, "d")] == ["_0_d", "_1_d"]
    assert mx.io._init_data(None, True, "d") == []
    parsed = mx.module.module._parse_data_desc(["a"], ["l"], [("a", (1, 2))], [("l", (1,))])
    assert [desc[0].shape for desc in parsed] == [(1, 2), (1,)]
    assert mx.visualization._str2tuple("(1, 2)") == ["1", "2"]
    assert (mx.recordio._IR_FORMAT, mx.recordio._IR_SIZE) == ("IfQQ", 24)


def test_registries_hold_what_was_registered():
    class Shape:
        pass

    mx.registry.get_register_func(Shape, "shape")(type("Disc", (Shape,), {}))
    assert list(mx.registry._REGISTRY[Shape]) == ["disc"]

    @mx.operator.register("named_privately")
    class Prop(mx.operator.CustomOpProp):
        pass

    assert mx.operator._registry["named_privately"] is Prop


def test_scopes_tell_what_they_set():
    assert mx.util._NumpyArrayScope(True)._is_np_array is True
    assert mx.util._NumpyArrayScope(False)._is_np_array is False


def test_star_imports_of_autograd_bring_the_array_class():
    names = {}
    exec("from gluonish.autograd import *", names)
    assert names["NDArray"] is mx.nd.NDArray


SLICES = [slice(None), slice(2), slice(20), slice(1, 3), slice(None, None, 2), slice(0, 1)]
SLICES += [slice(None, None, -1), slice(3, None, -2), slice(2, 2)]


@pytest.mark.parametrize("first", SLICES)
def test_slices_know_whether_they_are_contiguous(first):
    whole = onp.zeros((4, 5, 6))
    for second in SLICES:
        for third in SLICES:
            key = (first, second, third)
            told = mx.nd.NDArray._basic_indexing_slice_is_contiguous(key, whole.shape)
            assert told == whole[key].flags.contiguous


def test_numpys_own_functions_are_where_mxnet_keeps_them():
    from gluonish.numpy import fallback, fallback_linalg

    assert {"polyfit", "allclose", "nanmedian"} <= set(fallback.__all__)
    assert all(getattr(fallback, name) is getattr(onp, name) for name in fallback.__all__)
    assert all(
        getattr(fallback_linalg, n) is getattr(onp.linalg, n) for n in fallback_linalg.__all__
    )


def test_stores_are_made_by_the_module_of_their_base_too():
    from gluonish.kvstore.base import create

    assert create("local").type == "local"


def test_inferred_types_are_classes():
    net = nn.Dense(2)
    net.infer_type(mx.nd.ones((1, 3), dtype="float64"))
    assert net.weight.dtype is onp.float64
