"""FeedForward beside what the real MXNet's gives: files, data of all kinds, errors."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close
from module_programs import data, mlp

import gluonish as mx
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingEpochsError,
    MissingParameterError,
    RefusedArgumentError,
    SymbolNameError,
)


def model(**options):
    options = {"num_epoch": 2, "numpy_batch_size": 8, "learning_rate": 0.1, **options}
    return mx.model.FeedForward(mlp(mx), **options)


def test_data_may_be_arrays_of_either_kind_or_iterators():
    x, y = data()
    for arrays in ((x, y), (mx.nd.array(x), mx.nd.array(y)), (x, y.reshape(-1, 1))):
        found = model()
        found.fit(*arrays, eval_data=(x.tolist(), y.tolist()))
        assert found.predict(arrays[0]).shape == (40, 3)
    found = model()
    batches = mx.io.NDArrayIter(x, y, 8)
    found.fit(batches, eval_data=(batches, None), progress_bar=False)
    assert found.predict(batches, num_batch=2).shape == (16, 3)
    assert found.score(batches, num_batch=1) in {i / 8 for i in range(9)}
    assert len(found.score(batches, ["acc", "ce"])) == 2


def test_evaluation_may_use_other_batches():
    x, y = data()
    found = model()
    found.fit(x, y, eval_data=mx.io.NDArrayIter(x, y, 5))
    assert found.predict(mx.io.NDArrayIter(x, y, 3)).shape == (40, 3)


def test_a_model_is_saved_and_goes_on(tmp_path):
    x, y = data()
    first = model(momentum=0.9)
    first.fit(x, y)
    first.save(str(tmp_path / "net"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "net-0002.params",
        "net-symbol.json",
    ]
    loaded = mx.model.FeedForward.load(str(tmp_path / "net"), 2, num_epoch=3, learning_rate=0.1)
    assert (loaded.begin_epoch, loaded.num_epoch, loaded.ctx) == (2, 3, [mx.cpu()])
    assert_close(loaded.predict(x), first.predict(x))  # in batches of another size
    loaded.fit(x, y)
    assert (loaded.predict(x) != first.predict(x)).any()
    with pytest.raises(MissingEpochsError, match="neither epoch nor num_epoch is known"):
        mx.model.FeedForward(mlp(mx)).save("x")


def test_create_makes_and_trains_a_model(capsys):
    x, y = data()
    found = mx.model.FeedForward.create(
        mlp(mx), x, y, num_epoch=2, epoch_size=3, learning_rate=0.1, optimizer="adam",
        numpy_batch_size=10, progress_bar=True,
    )  # fmt: skip
    assert found.predict(x).shape == (40, 3)
    assert "Epoch[1]" in capsys.readouterr().err


def test_an_optimizer_of_ones_own_is_told_names():
    x, y = data()
    sgd = mx.optimizer.SGD(learning_rate=0.1)
    model(optimizer=sgd).fit(x, y)
    assert sorted(sgd.idx2name.values()) == ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]


def test_a_monitor_watches_training():
    x, y = data()
    monitor = mx.mon.Monitor(1, pattern="fc1_output")
    seen = []
    monitor.toc_print = lambda: seen.extend(name for _, name, _ in monitor.toc())
    model(num_epoch=1).fit(x, y, monitor=monitor)
    assert seen == ["fc1_output"] * 5


def test_extra_parameters_are_refused_or_left_out():
    x, y = data()
    found = model()
    found.fit(x, y)
    extra = found.arg_params | {"other": mx.nd.ones((1,))}
    with pytest.raises(SymbolNameError, match='"other" that is not in the arguments'):
        model(arg_params=extra, aux_params={}).predict(x)
    more = model(arg_params=extra, aux_params={"state": mx.nd.ones((1,))}, allow_extra_params=True)
    onp.testing.assert_array_equal(more.predict(x), found.predict(x))


def test_buckets_are_trained_by_a_function_that_makes_symbols():
    def sym_gen(length):
        x = mx.sym.sum(mx.sym.var("data"), axis=1, keepdims=True)
        net = mx.sym.FullyConnected(x, num_hidden=3, name="fc")
        return mx.sym.SoftmaxOutput(net, name="softmax")

    class Batches(mx.io.DataIter):
        default_bucket_key = 5
        provide_data, provide_label = [("data", (2, 5))], [("softmax_label", (2,))]

        def reset(self):
            self.lengths = iter((5, 3, 3))

        def next(self):
            length = next(self.lengths)
            return mx.io.DataBatch(
                [mx.nd.ones((2, length))], [mx.nd.ones((2,))], bucket_key=length,
                provide_data=[("data", (2, length))], provide_label=self.provide_label,
            )  # fmt: skip

    found = mx.model.FeedForward(sym_gen, num_epoch=3, learning_rate=0.5)
    found.fit(Batches(2))
    assert found.arg_params["fc_bias"].asnumpy().argmax() == 1


@pytest.mark.parametrize(
    ("fit", "error", "says"),
    [
        (lambda x, y: model().fit(x), InvalidArgumentError, "y must be specified when X is"),
        (lambda x, y: model().fit([1], y), DTypeError, "X must be DataIter, NDArray or numpy"),
        (lambda x, y: model().fit(x, [1]), DTypeError, "y must be ndarray when X is"),
        (lambda x, y: model().fit(x, y[:5]), InvalidArgumentError, "data points and labels not"),
        (lambda x, y: model().fit(x, x), InvalidArgumentError, "Label must be 1D or 2D"),
        (lambda x, y: model().fit(x, y, eval_data=3), DTypeError, "Eval data must be DataIter"),
        (lambda x, y: model().fit(x, y, (None, 3)), InvalidArgumentError, "Eval data is NONE"),
        (lambda x, y: model(num_epoch=None).fit(x, y), MissingEpochsError, "num_epoch is None"),
        (lambda x, y: model().predict(x), MissingParameterError, "has no parameters yet"),
        (lambda x, y: mx.model.FeedForward(3), RefusedArgumentError, "Expected a Symbol, or a"),
    ],
)
def test_what_does_not_fit_is_explained(fit, error, says):
    with pytest.raises(error, match=says):
        fit(*data())


def test_symbols_that_do_not_fit_are_explained():
    x, y = data()
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    with pytest.raises(SymbolNameError, match="the data has 'softmax_label', which is no argument"):
        mx.model.FeedForward(net, num_epoch=1).fit(x, y)
    twice = mx.sym.FullyConnected(net, num_hidden=2, name="fc")
    with pytest.raises(SymbolNameError, match='duplicated argument name "fc_bias"'):
        mx.model.FeedForward(twice)
    open_shape = mx.sym.SoftmaxOutput(mx.sym.var("data") + mx.sym.var("w"), name="softmax")
    open_shape = mx.sym.Group([open_shape, mx.sym.BlockGrad(mx.sym.var("free"))])
    with (
        pytest.warns(UserWarning, match="free"),
        pytest.raises(MissingParameterError, match="don't follow from"),
    ):
        mx.model.FeedForward(open_shape, num_epoch=1).fit(x, y)
