"""Mistakes of people who come from PyTorch, Keras, NumPy and MXNet are answered."""

from __future__ import annotations

import inspect
import json
import linecache
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.errors.habits import KEYWORDS, SENTENCES
from gluonish.errors.last_words import improve
from gluonish.name import NameManager

_OURS = str(Path(mx.__file__).parent)
_BEGIN = """\
import numpy as onp
import torch
import gluonish as mx
from gluonish import autograd, gluon, nd, np, npx, init
from gluonish.gluon import nn, rnn, loss as gloss
"""
_NET = """\
net = nn.HybridSequential()
net.add(nn.Dense(16, activation='relu', in_units=8), nn.Dense(4, in_units=16))
net.initialize()
"""
_MISTAKES = [
    json.loads(line)
    for line in Path(__file__).with_name("newcomers.jsonl").read_text("utf-8").splitlines()
]
# Where torch's own frames stand between the program and gluonish, until the program ends.
_OTHERS = re.compile(r"torch\.(optim|nn)\.|[(=]torch\.nn|DataLoader\(|est\.fit")


def _shown(before: str, code: str) -> tuple[BaseException, str, list[str]]:
    """Return the error of a program, its text, and the files of its traceback."""
    source = f"{_BEGIN}{before.replace('NET', _NET)}\n{code}\n"
    name = f"<{code}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    with NameManager(), pytest.raises(BaseException) as caught:  # noqa: PT011 - any
        exec(compile(source, name, "exec"), {"__name__": "program"})
    error = caught.value
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    files = [frame.filename for frame in traceback.extract_tb(trace)]
    improve(error, trace)
    return error, "".join(traceback.format_exception_only(error)), files


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("before", "code", "told"), _MISTAKES, ids=[row[1] for row in _MISTAKES])
def test_mistake_is_answered_at_the_users_line(
    before: str, code: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error, text, files = _shown(before, code)
    mx.profiler.set_state("stop")  # some begin one, which shows in the tracebacks of others
    assert told in text
    assert error.__suppress_context__ or error.__context__ is None or "in " in text
    if not _OTHERS.search(code + before):
        assert not [file for file in files if file.startswith(_OURS)], files


def test_there_are_a_hundred_mistakes() -> None:
    assert len({code for _, code, _ in _MISTAKES}) >= 100


_PAIRS: dict[str, type] = {
    **{f"Conv{n}d": getattr(mx.gluon.nn, f"Conv{n}D") for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": getattr(mx.gluon.nn, f"Conv{n}DTranspose") for n in (1, 2, 3)},
    **{f"MaxPool{n}d": getattr(mx.gluon.nn, f"MaxPool{n}D") for n in (1, 2, 3)},
    **{f"AvgPool{n}d": getattr(mx.gluon.nn, f"AvgPool{n}D") for n in (1, 2, 3)},
    **{f"BatchNorm{n}d": mx.gluon.nn.BatchNorm for n in (1, 2, 3)},
    **{f"InstanceNorm{n}d": mx.gluon.nn.InstanceNorm for n in (1, 2, 3)},
    **{
        name: getattr(mx.gluon.nn, name)
        for name in (
            "Dropout", "ELU", "Embedding", "Flatten", "GELU", "GroupNorm", "LayerNorm",
            "LeakyReLU", "PReLU", "SELU",
        )
    },
    "Linear": mx.gluon.nn.Dense,
    "RNNBase": mx.gluon.rnn.LSTM,
    **{name: getattr(mx.gluon.rnn, name) for name in ("LSTMCell", "GRUCell", "RNNCell")},
    "CrossEntropyLoss": mx.gluon.loss.SoftmaxCrossEntropyLoss,
    "MSELoss": mx.gluon.loss.L2Loss,
    "BCEWithLogitsLoss": mx.gluon.loss.SigmoidBCELoss,
    "TripletMarginLoss": mx.gluon.loss.TripletLoss,
    **{
        name: getattr(mx.gluon.loss, name)
        for name in ("CTCLoss", "CosineEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss")
    },
}  # fmt: skip
_OPTIMIZERS: dict[str, type] = {
    "SGD": mx.optimizer.SGD,
    "Adam": mx.optimizer.Adam,
    "AdamW": mx.optimizer.AdamW,
    "Adamax": mx.optimizer.Adamax,
    "Adagrad": mx.optimizer.AdaGrad,
    "Adadelta": mx.optimizer.AdaDelta,
    "RMSprop": mx.optimizer.RMSProp,
    "NAdam": mx.optimizer.Nadam,
}


def _unanswered(theirs: type, ours: type) -> list[str]:
    """Return the keywords of a class of torch that ours neither takes nor has an answer to."""
    parameters = inspect.signature(theirs).parameters.values()
    words = [
        one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]
    known: set[str] = set()
    for cls in ours.__mro__[:-1]:
        if "__init__" in vars(cls):
            known.update(inspect.signature(vars(cls)["__init__"]).parameters)
    names = [cls.__name__ for cls in ours.__mro__]
    return [
        word
        for word in words
        if word not in known
        and not word.startswith("_")
        and word not in SENTENCES
        and not any(f"{name}.{word}" in SENTENCES for name in names)
        and not any(our in known for our in KEYWORDS.get(word, ()))
    ]


@pytest.mark.parametrize("name", _PAIRS)
def test_every_keyword_of_torchs_layers_and_losses_has_an_answer(name: str) -> None:
    assert _unanswered(getattr(torch.nn, name), _PAIRS[name]) == []


@pytest.mark.parametrize("name", _OPTIMIZERS)
def test_every_keyword_of_torchs_optimizers_has_an_answer(name: str) -> None:
    assert _unanswered(getattr(torch.optim, name), _OPTIMIZERS[name]) == []


@pytest.mark.parametrize("name", [each for each in dir(torch.Tensor) if not each.startswith("_")])
def test_every_public_name_of_torchs_tensors_is_there_or_has_an_answer(name: str) -> None:
    x = mx.nd.ones(2)
    if not hasattr(x, name):
        with pytest.raises(mx.MXNetError, match=f"has no attribute '{name}'. .{{10,}}"):
            getattr(x, name)


def test_every_public_name_of_torchs_modules_is_there_or_has_an_answer() -> None:
    rare = {
        "T_destination", "call_super_init", "dump_patches", "extra_repr", "get_buffer",
        "get_extra_state", "set_extra_state", "set_submodule", "ipu", "mtia", "xpu", "to_empty",
        "share_memory", "type", "named_buffers", "register_backward_hook",
        "register_full_backward_hook", "register_full_backward_pre_hook",
        "register_load_state_dict_post_hook", "register_load_state_dict_pre_hook",
        "register_state_dict_post_hook", "register_state_dict_pre_hook",
    }  # fmt: skip
    net = mx.gluon.nn.Sequential()
    for name in set(dir(torch.nn.Module)) - rare:
        if not name.startswith("_") and not hasattr(net, name):
            with pytest.raises(mx.MXNetError, match=f"has no attribute '{name}'. "):
                getattr(net, name)


@pytest.mark.parametrize(
    ("before", "code"),
    [
        (
            "class Tracker:\n    def update(self, value): pass\ntracker = Tracker()",
            "tracker.update()",
        ),
        ("words = iter([])", "next(words)"),
        ("words = []", "next(iter(words))"),
    ],
)
def test_what_is_a_programs_own_is_told_nothing_about(before: str, code: str) -> None:
    error, _, _ = _shown(before, code)
    assert not getattr(error, "__notes__", [])


_OF_NUMPY_1 = {"itemset", "newbyteorder", "ptp", "tostring"}


@pytest.mark.parametrize(
    "name", sorted(_OF_NUMPY_1.union(each for each in dir(onp.ndarray) if not each.startswith("_")))
)
def test_every_public_name_of_numpys_arrays_is_there_or_has_an_answer(name: str) -> None:
    for x in (mx.nd.ones(2), mx.np.ones(2)):
        if not hasattr(x, name):
            with pytest.raises(mx.MXNetError, match=f"has no attribute '{name}'. .{{10,}}"):
                getattr(x, name)


_OF_KERAS_AND_SKLEARN = (
    "add_loss build compile evaluate fit get_config get_layer load_weights predict losses layers "
    "predict_on_batch save_weights stop_training to_json from_json train_on_batch trainable "
    "trainable_weights non_trainable_weights variables inputs outputs input output input_shape "
    "output_shape metrics optimizer count_params from_config get_weights set_weights weights "
    "test_on_batch reset_metrics fit_generator predict_generator history call "
    "predict_proba score transform get_params set_params partial_fit coef_ intercept_"
)


@pytest.mark.parametrize("name", _OF_KERAS_AND_SKLEARN.split())
def test_names_of_kerass_and_scikit_learns_models_have_an_answer(name: str) -> None:
    net = mx.gluon.nn.Sequential()
    with pytest.raises(mx.MXNetError, match=f"has no attribute '{name}'. .{{10,}}"):
        getattr(net, name)


def test_a_name_without_a_value_names_the_line_that_gave_it(tmp_path: Path) -> None:
    shown = _run(tmp_path, f"{_BEGIN}net = nn.Dense(3)\nnet = net.hybridize()\nnet(nd.ones(2))\n")
    assert "net is None since line 7: .hybridize(...) changes its object and returns" in shown
    shown = _run(tmp_path, f"{_BEGIN}loss = gloss.L2Loss(),\nloss(nd.ones(2), nd.ones(2))\n")
    assert "Line 6 ends in a comma, which makes loss a tuple." in shown


def test_a_name_that_is_imported_from_elsewhere_is_found(tmp_path: Path) -> None:
    shown = _run(tmp_path, "import gluonish\nfrom gluonish.gluon.contrib import FusedStep\n")
    assert "Write from gluonish.gluon import FusedStep." in shown
    shown = _run(tmp_path, "import gluonish\nimport gluonish.loss\n")
    assert "Write from gluonish.gluon import loss." in shown


def test_the_cause_of_a_custom_operators_error_shows_the_programs_lines(tmp_path: Path) -> None:
    program = (
        f"{_BEGIN}class Op(mx.operator.CustomOp):\n"
        "    def forward(self, is_train, req, in_data, out_data, aux):\n"
        "        in_data[1]\n"
        "@mx.operator.register('short')\n"
        "class Prop(mx.operator.CustomOpProp):\n"
        "    def create_operator(self, ctx, shapes, dtypes):\n"
        "        return Op()\n"
        "nd.Custom(nd.ones(3), op_type='short')\n"
    )
    assert _OURS not in _run(tmp_path, program)


def test_optimizers_refuse_what_is_no_number() -> None:
    with pytest.raises(mx.MXNetError, match=r"SGD: momentum=.* a dict. Expected float. Name "):
        mx.optimizer.SGD({"learning_rate": 0.1})  # by position: the momentum
    sgd = mx.optimizer.SGD()
    sgd.momentum = {"momentum": 0.1}
    with pytest.raises(mx.MXNetError, match=r"SGD: momentum=.* a dict. Expected a number. Name "):
        sgd.create_state_multi_precision(0, mx.nd.ones(2))


def _run(folder: Path, program: str, **environment: str) -> str:
    import os

    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 1
    return done.stderr


def test_an_error_that_ends_a_program_shows_its_lines_alone(tmp_path: Path) -> None:
    program = f"{_BEGIN}{_NET}torch.optim.SGD(net.collect_params(), lr=0.1)\n"
    shown = _run(tmp_path, program)
    assert shown.count("File ") == 1
    assert "torch.optim.SGD(net.to_torch().parameters(), lr=0.1) trains it" in shown
    assert _run(tmp_path, program, GLUONISH_FULL_TRACEBACK="1").count("File ") > 3


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "it = mx.io.NDArrayIter(nd.ones((4, 2)), batch_size=4)\nnext(it)\nnext(it)\n",
            "There is nothing left to go through. A for loop ends here by itself",
        ),
        (
            "gluon.data.ArrayDataset(nd.ones(4))[7]\n",
            "ArrayDataset: there is no sample 7. Expected a position from 0 to 3",
        ),
        (
            "c = rnn.LSTMCell(3)\nc.initialize()\na, b, d = c(nd.ones((2, 3)), c.begin_state(2))\n",
            "c(x, states) gives the output and the list of new states",
        ),
        ("mx.cpu('a')\n", "device_id 'a' was given. Expected the number of a device."),
    ],
)
def test_ends_of_what_is_gone_through_show_the_programs_line(
    tmp_path: Path, code: str, told: str
) -> None:
    shown = _run(tmp_path, f"{_BEGIN}{code}")
    assert shown.count("File ") == 1
    assert told in shown


def test_a_ctrl_c_shows_the_line_of_the_program(tmp_path: Path) -> None:
    program = (
        "import signal, os\nimport gluonish as mx\nfrom gluonish.gluon import nn\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # if started in the background\n"
        "class Waits(nn.HybridBlock):\n"
        "    def hybrid_forward(self, F, x):\n"
        "        return F.relu(x)\n"
        "net = nn.HybridSequential(nn.Dense(3), nn.Dense(3))\nnet.initialize()\n"
        "net[1].register_forward_pre_hook(lambda *_: os.kill(os.getpid(), signal.SIGINT))\n"
        "net(mx.nd.ones((2, 3)))\n"
    )
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt" in done.stderr
    assert _OURS not in done.stderr


def test_torchs_dataloader_takes_our_datasets_and_ours_torchs() -> None:
    data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.np.arange(4))
    batches: list[Any] = list(torch.utils.data.DataLoader(data, batch_size=2))
    assert [type(part) for part in batches[0]] == [torch.Tensor, torch.Tensor]
    assert batches[1][1].tolist() == [2, 3]
    tensors = torch.utils.data.TensorDataset(torch.ones(4, 2), torch.arange(4))
    arrays = list(mx.gluon.data.DataLoader(tensors, batch_size=2))
    assert [type(part) for part in arrays[0]] == [mx.nd.NDArray, mx.nd.NDArray]
    assert arrays[1][1].asnumpy().tolist() == [2, 3]


def test_functions_that_read_numbers_of_anything_still_take_arrays() -> None:
    x = mx.nd.array([[1, 2]])
    assert torch.tensor(x).tolist() == [[1, 2]]
    assert torch.as_tensor(x).tolist() == [[1, 2]]
    assert (torch.ones(1, 2) + x).asnumpy().tolist() == [[2, 3]]  # type: ignore[attr-defined]
    assert not isinstance(x, torch.Tensor)


def test_containers_take_blocks_and_lists_of_blocks() -> None:
    nn = mx.gluon.nn
    for kind in (nn.Sequential, nn.HybridSequential):
        layers = [nn.Dense(2), nn.Dense(3)]
        assert list(kind(*layers)) == layers
        assert list(kind(layers)) == layers
        assert list(kind([layers[0]], layers[1], prefix="n_")) == layers
        assert kind("n_").prefix == "n_"
        assert kind(None, layers[0].params).params._shared is layers[0].params


def test_batch_dot_refuses_single_matrices_as_mxnet_does() -> None:
    x = mx.nd.ones((2, 3))
    with pytest.raises(mx.MXNetError, match=r"\(2, 3\) and \(3, 2\).*nd.dot\(x, y\) multiplies"):
        mx.nd.batch_dot(x, x.T)
    with pytest.raises(mx.MXNetError, match="as many axes of both, three or more.*expand_dims"):
        mx.nd.batch_dot(x, mx.nd.ones((2, 3, 4)))
    assert mx.nd.batch_dot(mx.nd.ones((2, 2, 3, 4)), mx.nd.ones((2, 2, 4, 3))).shape == (2, 2, 3, 3)


def test_pythons_errors_inside_of_gluonish_name_the_call_of_the_program(tmp_path: Path) -> None:
    shown = _run(tmp_path, "import gluonish as mx\nmx.rnn.SequentialRNNCell().add('x')\n")
    assert shown.count("File ") == 1
    assert "SequentialRNNCell.add('x') did not work with these arguments. Expected " in shown
    shown = _run(tmp_path, "import gluonish as mx\nmx.nd.ones(3).shap\n")
    assert shown.count("Did you mean 'shape'?") == shown.count("Did you mean") == 1


def test_summary_names_the_inputs_that_a_net_needs() -> None:
    class Two(mx.gluon.nn.Block):
        def forward(self, x: mx.nd.NDArray, y: mx.nd.NDArray) -> mx.nd.NDArray:
            return x + y

    with pytest.raises(mx.MXNetError, match=r"a batch for each of x, y. Write net.summary\(x, y\)"):
        Two().summary(mx.nd.ones(2))
