"""Mixed precision, beside the real MXNet 1.9.1."""

from __future__ import annotations

import importlib
import json
import logging
import threading
from pathlib import Path

import numpy as onp
import pytest
from scaled_steps import Scaled, dense, steps_of

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.contrib import amp
from gluonish.contrib.amp.loss_scaler import LossScaler
from gluonish.errors import DTypeError, InvalidArgumentError, RefusedArgumentError

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "amp.json").read_text())
DTYPES = ("float16", "bfloat16")


def name_of(dtype):
    return "bfloat16" if dtype == amp.bfloat16 else onp.dtype(dtype).name


def dtypes(kind, calls=GOLDEN["calls"]):
    f = nd.ones((2, 2))
    names = {"nd": nd, "f": f, "c": f.reshape((1, 1, 2, 2)), "h": f.astype(kind)}
    return {call: name_of(eval(call, names).dtype) for call in calls}


# --- lists ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", GOLDEN["lists"]["float16"])
def test_lists_are_mxnets(kind, name):
    found = getattr(amp, f"list_{name}")(kind)
    golden = GOLDEN["lists"][kind][name]
    if isinstance(golden, list):
        golden = sorted(tuple(one) if isinstance(one, list) else one for one in golden)
        found = sorted(found)
    assert found == golden


def test_lists_are_for_half_precision_only():
    with pytest.raises(RefusedArgumentError, match=r"list_fp32_ops: target_dtype='float32' was"):
        amp.list_fp32_ops("float32")


@pytest.mark.parametrize("dtype", ["bfloat16", amp.bfloat16])
def test_bfloat16_may_be_given_as_a_name_or_as_a_dtype(dtype):
    assert amp.list_lp16_ops(dtype) == ["Convolution", "FullyConnected"]


# --- init -----------------------------------------------------------------------------------


def test_dtypes_of_results_are_mxnets():
    amp.init("bfloat16")
    assert dtypes("bfloat16") == GOLDEN["dtypes"]


@pytest.mark.parametrize("case", GOLDEN["own"])
def test_lists_of_ones_own_replace_mxnets(case):
    amp.init("bfloat16", **GOLDEN["own"][case])
    golden = GOLDEN[f"own/{case}"]
    assert len(golden) > 20
    assert dtypes("bfloat16", golden) == golden


def test_operators_may_be_named_by_an_alias():
    amp.init(fp32_ops=["flatten"], target_precision_ops=["_npi_exp"])
    half, full = nd.ones((2, 2), dtype="float16"), nd.ones((2, 2))
    assert nd.Flatten(half).dtype is onp.float32
    assert nd.exp(full).dtype is onp.float16


def test_float16_leaves_what_is_safe_in_it():
    amp.init()
    found = dtypes("float16")
    assert found["nd.FullyConnected(f, h, num_hidden=2, no_bias=True)"] == "float16"
    assert found["nd.softmax(h)"] == found["h.sum()"] == found["1 / h"] == "float32"
    assert found["h + 1"] == found["h * h"] == found["nd.Dropout(h)"] == "float16"
    assert found["f + h"] == found["nd.where(f, h, f)"] == "float32"


def test_other_dtypes_stay():
    amp.init()
    wide = nd.ones((2, 2), dtype="float64")
    assert nd.FullyConnected(wide, wide, num_hidden=2, no_bias=True).dtype is onp.float64
    ints = nd.ones((2, 2), dtype="int32")
    assert nd.sum(ints).dtype is onp.int32
    assert nd.concat(ints, ints, dim=0).dtype is onp.int32


def test_np_arrays_are_cast_too():
    amp.init()
    x = mx.np.ones((2, 2))
    y = mx.npx.fully_connected(x, x, num_hidden=2, no_bias=True)
    assert y.dtype == "float16"
    assert mx.npx.softmax(y).dtype == mx.np.exp(y).dtype == mx.np.sum(y).dtype == "float32"
    assert mx.np.matmul(x, y).dtype == "float32"
    assert mx.np.concatenate([x, y]).dtype == "float32"


def test_a_function_that_was_imported_before_casts_too():
    dense_before = nd.FullyConnected
    amp.init()
    x = nd.ones((2, 2))
    assert dense_before(x, x, num_hidden=2, no_bias=True).dtype is onp.float16


def test_without_init_nothing_is_cast():
    x = nd.ones((2, 2))
    assert nd.FullyConnected(x, x, num_hidden=2, no_bias=True).dtype is onp.float32
    assert nd.softmax(x.astype("float16")).dtype is onp.float16


def test_a_second_init_changes_nothing():
    amp.init("bfloat16")
    amp.init("float16")
    x = nd.ones((2, 2))
    assert nd.FullyConnected(x, x, num_hidden=2, no_bias=True).dtype == amp.bfloat16


def test_all_threads_compute_in_mixed_precision():
    amp.init()
    found = []
    x = nd.ones((2, 2))
    run = threading.Thread(target=lambda: found.append(nd.dot(x, x.astype("float16")).dtype))
    other = threading.Thread(
        target=lambda: found.append(nd.FullyConnected(x, x, num_hidden=2, no_bias=True).dtype)
    )
    for thread in (run, other):
        thread.start()
        thread.join()
    assert found == [onp.float32, onp.float16]


def test_recurrent_layers_run_in_low_precision_and_train():
    amp.init()
    for layer in (gluon.rnn.LSTM(3, input_size=2), gluon.rnn.GRUCell(3, input_size=2)):
        layer.initialize()
        data = nd.ones((4, 2)) if isinstance(layer, gluon.rnn.GRUCell) else nd.ones((5, 4, 2))
        with autograd.record():
            out = layer(data, layer.begin_state(batch_size=4))[0]
            loss = out.sum()
        loss.backward()
        assert out.dtype is onp.float16
        gradient = next(iter(layer.collect_params().values())).grad()
        assert gradient.dtype is onp.float32
        assert gradient.abs().sum().asscalar() > 0


def test_gluons_losses_are_float32():
    amp.init()
    half, label = nd.ones((2, 3), dtype="float16"), nd.array([0, 1])
    assert gluon.loss.SoftmaxCrossEntropyLoss()(half, label).dtype is onp.float32
    assert gluon.loss.L2Loss()(half, half).dtype is onp.float32


def test_batch_norm_keeps_its_statistics_in_float32():
    amp.init()
    layer = gluon.nn.BatchNorm(in_channels=2)
    layer.initialize()
    half = nd.array([[1, 2], [3, 6]], dtype="float16")
    with autograd.record():
        out = layer(half)
    out.backward()
    assert out.dtype is onp.float16
    assert layer.running_mean.data().dtype is onp.float32
    assert layer.running_mean.data().asnumpy() == pytest.approx([0.2, 0.4])


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"target_dtype": "float64"}, AssertionError, "currently supports only float16 or bfl"),
        ({"target_precision_ops": ["nonsense"]}, AttributeError, "operators nonsense were given"),
        ({"fp32_ops": ["nothing"]}, AttributeError, r"amp\.init: operators nothing were given"),
        ({"target_precision_ops": "dot"}, DTypeError, "'dot' was given for names of operators"),
        (
            {"conditional_fp32_ops": [("Activation", "act_type")]},
            InvalidArgumentError,
            r"\('Activation', 'act_type'\) was given as a condition",
        ),
        ({"conditional_fp32_ops": [("no", "a", ["b"])]}, AttributeError, "operators no were given"),
    ],
)
def test_bad_arguments_of_init_are_refused_and_nothing_is_cast(options, kind, message):
    with pytest.raises(kind, match=message):
        amp.init(**options)
    assert not importlib.import_module("gluonish.contrib.amp.amp")._amp_initialized


# --- hybridize ------------------------------------------------------------------------------


def test_graphs_from_before_init_go():
    net = dense()
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 3))
    assert net(x).dtype is onp.float32
    amp.init()
    assert net(x).dtype is onp.float16
    assert net(x).dtype is onp.float16  # from the new graph


def test_captured_graphs_hold_the_casts():
    amp.init("bfloat16")
    net = dense()
    net.initialize()
    x = nd.ones((2, 3))
    eager = net(x)
    net.hybridize()
    net(x)
    assert net(x).dtype == eager.dtype == amp.bfloat16
    assert net.graph is not None
    onp.testing.assert_array_equal(
        net(x).astype("float32").asnumpy(), eager.astype("float32").asnumpy()
    )


# --- the scale of the loss ------------------------------------------------------------------


class OneParameter:
    """What a LossScaler looks at."""

    def __init__(self, value):
        array = nd.ones((2,))
        array.attach_grad()
        with autograd.record():
            y = array * nd.array([1, value])
        y.backward()
        self._arrays = {mx.cpu(): array}


@pytest.mark.parametrize(
    ("case", "attributes"),
    [
        ("ooioniiinooo", {}),
        ("growing", {"_scale_seq_len": 3}),
        ("largest", {"_scale_seq_len": 1, "_loss_scale": 2.0**24, "_next_loss_scale": 2.0**24}),
        ("smallest", {"_loss_scale": 1.0, "_next_loss_scale": 1.0}),
    ],
)
def test_the_scale_follows_as_mxnets_does(case, attributes):
    scaler = LossScaler()
    vars(scaler).update(attributes)
    checks = {"growing": "o" * 10, "largest": "ooo", "smallest": "iii"}.get(case, case)
    values = {"o": 1.0, "i": float("inf"), "n": float("nan")}
    params = [OneParameter(1.0), None]
    found = []
    for check in checks:
        params[1] = OneParameter(values[check])
        found.append([scaler.has_overflow(params), scaler.loss_scale])
    assert found == GOLDEN["scales"][case]


@pytest.mark.parametrize("case", GOLDEN["steps"])
@pytest.mark.parametrize("is_hybrid", [False, True])
def test_steps_equal_mxnets(case, is_hybrid):
    kind, run = case.split("/")
    amp.init(kind)
    make, optimizer, options, clip = {
        "sgd": (Scaled, "sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}, None),
        "adam": (Scaled, "adam", {"learning_rate": 0.1, "rescale_grad": 0.5}, None),
        "clipped": (Scaled, "sgd", {"learning_rate": 0.5}, 0.5),
        "dense": (dense, "sgd", {"learning_rate": 0.1, "momentum": 0.9}, None),
    }[run]
    tolerance = 2e-2 if run == "dense" else 1e-5  # bfloat16 has three digits
    rows = steps_of(make(), optimizer, options, clip=clip, is_hybrid=is_hybrid)
    for row, golden in zip(rows, GOLDEN["steps"][case], strict=True):
        assert (row["scale"], row["updates"]) == (golden["scale"], golden["updates"])
        for name in ("loss", "weights"):
            for one, other in zip(row[name], golden[name], strict=True):
                onp.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def trainer_of(**options):
    net = Scaled()
    net.initialize(mx.init.One())
    return net, gluon.Trainer(net.collect_params(), "sgd", options or None)


def test_scale_loss_takes_lists():
    amp.init()
    _, trainer = trainer_of()
    amp.init_trainer(trainer)
    with amp.scale_loss((nd.ones((1,)), nd.ones((2,))), trainer) as scaled:
        assert [one.asnumpy().tolist() for one in scaled] == [[65536.0], [65536.0] * 2]


def test_unscale_divides_once():
    amp.init()
    net, trainer = trainer_of(rescale_grad=0.5)
    amp.init_trainer(trainer)
    x = nd.array([[1, 2, 3]])
    with autograd.record(), amp.scale_loss(net(x), trainer) as scaled:
        scaled.backward()
    assert net.weight.grad().asnumpy().tolist() == [65536, 131072, 196608]
    for _ in range(2):
        amp.unscale(trainer)
        assert net.weight.grad().asnumpy().tolist() == [0.5, 1, 1.5]
    trainer.step(4)
    assert trainer.optimizer.rescale_grad == 0.25


def test_a_skipped_update_counts_nothing_and_leaves_gradients_fresh(caplog):
    amp.init()
    net, trainer = trainer_of(momentum=0.9)
    amp.init_trainer(trainer)
    for update in (trainer.step, trainer.update):
        with autograd.record():
            loss = net(nd.array([[1, float("nan"), 3]]))
        loss.backward()
        with caplog.at_level(logging.INFO, "gluonish.amp"):
            update(1)
        update(1)  # no complaint about stale gradients
        assert trainer.optimizer.num_update == 0
        assert net.weight.data().asnumpy().tolist() == [1, 1, 1]
    assert "AMP: decreasing loss scale to 32768.000000" in caplog.text


def test_each_trainer_has_a_scale_of_its_own():
    amp.init()
    (_, one), (_, other) = trainer_of(), trainer_of()
    amp.init_trainer(one)
    amp.init_trainer(other)
    assert one._amp_loss_scaler is not other._amp_loss_scaler


def test_what_is_missing_is_named():
    net, trainer = trainer_of()
    with pytest.raises(AssertionError, match=r"did you forget to call amp\.init\(\)\?"):
        amp.init_trainer(trainer)
    with (
        pytest.raises(AttributeError, match=r"scale_loss: Loss scaler is not initialized"),
        amp.scale_loss(nd.ones((1,)), trainer),
    ):
        pass
    amp.init()
    with pytest.raises(TypeError, match=r"SGD was given\. AMP is currently only compatible"):
        amp.init_trainer(mx.optimizer.SGD())
    with pytest.raises(TypeError, match="should be a Gluon Trainer or an optimizer, instead is"):
        amp.init_trainer(net)


def test_modules_have_mxnets_names():
    for name in ("contrib.amp.amp", "contrib.amp.loss_scaler", "contrib.nd", "contrib.ndarray"):
        assert importlib.import_module(f"gluonish.{name}")
    assert mx.contrib.nd is mx.contrib.ndarray is nd.contrib
    assert mx.contrib.sym is mx.sym.contrib


@pytest.mark.parametrize(("dtype", "low"), [("float16", "FP16"), ("bfloat16", "BF16")])
def test_modules_of_lists_say_what_the_cards_say(dtype, low):
    module = importlib.import_module(f"gluonish.contrib.amp.lists.symbol_{low.lower()}")
    assert module is getattr(amp.lists, f"symbol_{low.lower()}")
    golden = GOLDEN["lists"][dtype]
    for name, kind in (
        (f"{low}_FUNCS", "lp16_ops"),
        ("FP32_FUNCS", "fp32_ops"),
        (f"{low}_FP32_FUNCS", "lp16_fp32_ops"),
        ("WIDEST_TYPE_CASTS", "widest_type_cast"),
        ("LOSS_OUTPUT_FUNCTIONS", "loss_output_functions"),
    ):
        assert sorted(getattr(module, name)) == sorted(golden[kind])
    assert [[*one] for one in module.CONDITIONAL_FP32_FUNCS] == golden["conditional_fp32_ops"]
    assert hasattr(module, "BF16_USE_FP32_PARAMS") == (dtype == "bfloat16")


def test_what_a_program_writes_into_the_lists_counts(monkeypatch):
    lists = amp.lists.symbol_fp16
    monkeypatch.setattr(lists, "FP32_FUNCS", [*lists.FP32_FUNCS, "Pooling"])
    monkeypatch.setattr(lists, "FP16_FP32_FUNCS", [])
    assert "Pooling" in amp.list_fp32_ops("float16")
    dense = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="dense")
    pool = mx.sym.Pooling(dense, name="pool")
    casts = amp.convert_symbol(pool).get_internals().list_outputs()
    assert "dense_output_amp_cast_float32_output" in casts
