"""Names that programs import from modules of MXNet that do not own or document them."""

from __future__ import annotations

import importlib
import queue
import threading

import numpy as onp
import pytest

import gluonish as mx
from gluonish.gluon import utils
from gluonish.gluon.data import dataloader
from gluonish.mxnet_import.borrowed import BORROWED, borrowed

IMPORTED = {
    "optimizer.optimizer": "sgd_update sgd_mom_update adam_update mp_sgd_update zeros clip NDabs",
    "optimizer.contrib": "NDArray clip mean sqrt square zeros",
    "gluon.parameter": "DeferredInitializationError tensor_types Context cpu OrderedDict",
    "gluon.block": "OrderedDict is_np_array load_json mx_real_t",
    "gluon.trainer": "_create_kvstore _create_sparse_kvstore Parameter ParameterDict",
    "gluon.rnn.rnn_cell": "Block HybridBlock LeakyReLU _as_list string_types",
    "gluon.nn.basic_layers": "_indent is_np_array",
    "module.module": "_create_kvstore _initialize_kvstore _update_params _check_input_names",
    "metric": "_BinaryClassificationMetrics string_types numeric_types OrderedDict",
    "model": "Context cpu mx_real_t DataDesc _create_sparse_kvstore",
    "ndarray.ndarray": "Context current_context numeric_types integer_types",
    "symbol.symbol": "Variable Group var load load_json zeros NDArray Context",
    "rnn.rnn": "BaseRNNCell",
    "image.detection": "Augmenter ResizeAug ImageIter fixed_crop",
}


@pytest.mark.parametrize("module", IMPORTED)
def test_what_programs_import_is_there(module):
    found = importlib.import_module(f"gluonish.{module}")
    for name in IMPORTED[module].split():
        getattr(found, name)


@pytest.mark.parametrize("module", BORROWED)
def test_borrowed_names_are_those_of_their_home_and_are_not_listed(module):
    there = importlib.import_module(module)
    for name, target in borrowed(module).items():
        home, _, own = target.partition(":")
        assert getattr(there, name) is getattr(importlib.import_module(home), own)
        assert name not in getattr(there, "__all__", ())
    assert there.__name__ == module


def test_counts_of_two_classes_are_those_of_mxnet():
    pred = mx.nd.array([[0.3, 0.7], [0.0, 1.0], [0.6, 0.4], [0.8, 0.2], [0.1, 0.9]])
    label = mx.nd.array([0, 1, 1, 0, 1])
    stats = mx.metric._BinaryClassificationMetrics()
    stats.update_binary_stats(label, pred)
    stats.local_reset_stats()
    assert stats.matthewscc() == stats.precision == stats.fscore == 0.0
    stats.update_binary_stats(label, pred)
    counts = stats.true_positives, stats.false_negatives, stats.false_positives
    assert (*counts, stats.true_negatives) == (2, 1, 1, 1)
    assert (stats.total_examples, stats.global_total_examples) == (5, 10)
    assert stats.precision == stats.recall == stats.global_fscore == pytest.approx(2 / 3)
    assert stats.matthewscc() == stats.matthewscc(use_global=True) == pytest.approx(1 / 6)


def test_metrics_of_two_classes_show_their_counts():
    pred, label = mx.nd.array([[0.3, 0.7], [0.6, 0.4]]), mx.nd.array([1, 1])
    each, total, mcc = mx.metric.F1(), mx.metric.F1(average="micro"), mx.metric.MCC(average="micro")
    for metric in (each, total, mcc):
        metric.update([label], [pred])
    assert each.metrics.total_examples == 0
    assert (total.metrics.precision, total.metrics.recall) == (1.0, 0.5)
    assert mcc._metrics.false_negatives == 1


def test_programs_derive_metrics_with_counts_of_their_own():
    class Precision(mx.metric.F1):
        def __init__(self):
            self.average = "micro"
            self.metrics = mx.metric._BinaryClassificationMetrics()
            mx.metric.EvalMetric.__init__(self, name="precision", has_global_stats=True)

        def update(self, labels, preds):
            for label, pred in zip(labels, preds, strict=True):
                self.metrics.update_binary_stats(label, pred)
            self.sum_metric, self.num_inst = self.metrics.precision, 1

    metric = Precision()
    metric.update([mx.nd.array([1, 0])], [mx.nd.array([[0, 1], [0, 1]])])
    assert metric.get() == ("precision", 0.5)
    metric.reset()
    assert metric.metrics.total_examples == 0


def test_stores_for_sparse_weights_update_them():
    store, updates = mx.model._create_sparse_kvstore("device")
    assert (store.type, updates) == ("device", True)
    assert mx.model._create_sparse_kvstore(store) == (store, True)
    with pytest.raises(TypeError, match="Cannot create 'None' KVStore with row_sparse parameters"):
        mx.model._create_sparse_kvstore(None)


@pytest.mark.parametrize("size", ["1", "16"])
def test_a_store_updates_several_weights_in_a_call(monkeypatch, size):
    monkeypatch.setenv("MXNET_UPDATE_AGGREGATION_SIZE", size)
    kv, weights = mx.kv.create("local"), [[mx.nd.ones(2)] for _ in range(3)]
    names, grads = ["a", "b", "c"], [[mx.nd.ones(2)], [None], [mx.nd.ones(2)]]
    kv.init(names, [mx.nd.ones(2)] * 3)
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
    mx.model._update_params_on_kvstore_nccl(weights, grads, kv, names)
    assert [each.asnumpy()[0] for (each,) in weights] == [0.5, 1.0, 0.5]


def test_kinds_of_outputs_are_checked():
    utils._check_all_np_ndarrays([mx.np.ones(2), (mx.sym.np.zeros((2,)),), 3])
    with pytest.raises(TypeError, match="must be of type `mxnet.numpy.ndarray`"):
        utils._check_all_np_ndarrays([mx.np.ones(2), [mx.nd.ones(2)]])
    own, classic = mx.sym.np.zeros((2,)), mx.sym.var("x")
    assert utils._check_same_symbol_type([own, own]) is mx.sym.np._Symbol
    assert utils._check_same_symbol_type([classic]) is mx.sym.Symbol
    with pytest.raises(TypeError, match="Found both classic symbol"):
        utils._check_same_symbol_type([own, classic])


def test_loops_of_older_loaders_go_on_until_there_is_no_number():
    keys, batches, found = queue.Queue(), queue.Queue(), {}
    for key in ((0, [0, 2]), (1, [1]), (None, None)):
        keys.put(key)
    batchify = dataloader.default_batchify_fn
    dataloader.worker_loop_v1([onp.float32(each) for each in range(3)], keys, batches, batchify)
    batches.put((None, None))
    dataloader.fetcher_loop_v1(batches, found, data_buffer_lock=threading.Lock())
    assert {number: batch.asnumpy().tolist() for number, batch in found.items()} == {
        0: [0.0, 2.0],
        1: [1.0],
    }
    assert len(list(dataloader.DataLoaderV1([1, 2, 3], 2))) == 2


def test_threads_take_the_switches_of_their_pool():
    seen = []

    def work():
        dataloader._thread_worker_initializer(True, True)
        seen.append(mx.util.is_np_array())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True]
    assert not mx.util.is_np_array()


@pytest.mark.parametrize("home", [mx.base, mx.mod.base_module])
def test_tuples_stay_tuples_where_a_list_is_wanted(home):
    given = [(1, 2), [1], 3, None]
    assert [home._as_list(each) for each in given] == [(1, 2), [1], [3], [None]]
