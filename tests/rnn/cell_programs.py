"""Programs for symbolic cells, run under the real MXNet for golden values, and under gluonish."""

from __future__ import annotations

import json
import random
import warnings

import numpy as onp


def nodes(symbols):
    """Return the nodes of a graph as MXNet's files have them."""
    found = json.loads(symbols.tojson())["nodes"]
    return [
        [
            n["op"],
            n["name"],
            n.get("attrs", {}),
            [[found[i]["name"], k] for i, k, *_ in n["inputs"]],
        ]
        for n in found
    ]


def flat(parts):
    """Return nested lists of Symbols as one list."""
    if isinstance(parts, (list, tuple)):
        return [one for part in parts for one in flat(part)]
    return [parts]


def cells(mx):
    """Return functions that make cells, by name."""
    rnn = mx.rnn

    def stack():
        found = rnn.SequentialRNNCell()
        found.add(rnn.LSTMCell(4, prefix="a_", forget_bias=2.0))
        found.add(rnn.DropoutCell(0.0))
        found.add(rnn.ResidualCell(rnn.GRUCell(4, prefix="b_")))
        return found

    def both():
        return rnn.BidirectionalCell(
            rnn.GRUCell(3, prefix="l_"), rnn.RNNCell(4, prefix="r_"), output_prefix="both_"
        )

    def shared():
        params = rnn.RNNParams("s_")
        found = rnn.SequentialRNNCell()
        found.add(rnn.RNNCell(3, prefix="s_", params=params))
        found.add(rnn.RNNCell(3, prefix="s_", params=params))
        return found

    def fused(mode, **options):
        options.setdefault("prefix", f"{mode}_")
        return lambda: rnn.FusedRNNCell(3, mode=mode, **options)

    made = {
        "rnn": lambda: rnn.RNNCell(3),
        "rnn_relu": lambda: rnn.RNNCell(3, activation="relu"),
        "lstm": lambda: rnn.LSTMCell(3),
        "gru": lambda: rnn.GRUCell(3),
        "stack": stack,
        "both": both,
        "residual": lambda: rnn.ResidualCell(rnn.RNNCell(2, prefix="r_")),
        "residual_both": lambda: rnn.ResidualCell(
            rnn.BidirectionalCell(rnn.RNNCell(1, prefix="l_"), rnn.RNNCell(1, prefix="r_"))
        ),
        "zoneout": lambda: rnn.ZoneoutCell(rnn.LSTMCell(3, prefix="z_"), 0.3, 0.2),
        "dropout": lambda: rnn.DropoutCell(0.4),
        "fused_lstm": fused("lstm", num_layers=2, bidirectional=True, get_next_state=True),
        "fused_gru": fused("gru", num_layers=2, get_next_state=True),
        "fused_relu": fused("rnn_relu", bidirectional=True),
        "fused_tanh": fused("rnn_tanh", dropout=0.2, num_layers=2),
    }
    for name in ("fused_lstm", "fused_gru", "fused_relu", "fused_tanh"):
        made[f"{name}_unfused"] = lambda make=made[name]: make().unfuse()
    made["shared"] = shared
    return made


def graphs(name):
    """Return a program that unrolls a cell in every way."""

    def program(mx):
        seen = []
        for layout in ("NTC", "TNC"):
            for merge in (None, True, False):
                for split in (False, True):
                    with mx.name.NameManager(), warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        cell = cells(mx)[name]()
                        data = mx.sym.Variable("data")
                        if split:
                            data = [mx.sym.Variable(f"x{i}") for i in range(2)]
                        outputs, states = cell.unroll(2, data, layout=layout, merge_outputs=merge)
                        seen.append([isinstance(outputs, list), len(flat(states))])
                        seen.append(nodes(mx.sym.Group(flat([outputs, states]))))
        info = [[list(one["shape"]), one["__layout__"]] for one in cell.state_info]
        return [seen, info, [list(shape) for shape in cell.state_shape]]

    return program


def values(name):
    """Return a program that runs a cell, and unpacks and packs its weights."""

    def program(mx):
        random_numbers = onp.random.RandomState(1)
        with mx.name.NameManager(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cell = cells(mx)[name]()
            outputs, states = cell.unroll(3, mx.sym.Variable("data"), merge_outputs=True)
        net = mx.sym.Group(flat([outputs, states]))
        shapes, _, _ = net.infer_shape(data=(2, 3, 2))
        args = {
            key: mx.nd.array(random_numbers.randn(*shape) * 0.5)
            for key, shape in zip(net.list_arguments(), shapes)  # noqa: B905 - Python of MXNet's day
        }
        found = [x.asnumpy().tolist() for x in net.bind(mx.cpu(), args).forward()]
        unpacked = cell.unpack_weights(args)
        packed = cell.pack_weights(unpacked)
        again = {key: value.asnumpy().tolist() for key, value in packed.items()}
        assert again == {key: value.asnumpy().tolist() for key, value in args.items()}
        parts = {key: value.asnumpy().tolist() for key, value in unpacked.items() if key != "data"}
        return [net.list_arguments(), [list(shape) for shape in shapes], found, parts]

    return program


def stepped(mx):
    """Cells that are called step by step, with states that are arguments."""
    with mx.name.NameManager():
        cell = mx.rnn.SequentialRNNCell()
        cell.add(mx.rnn.LSTMCell(4, prefix="a_"))
        cell.add(mx.rnn.GRUCell(4, prefix="b_"))
        states = cell.begin_state(func=mx.sym.Variable)
        first, states = cell(mx.sym.Variable("x"), states)
        second, states = cell(mx.sym.Variable("y"), states)
        return nodes(mx.sym.Group([first, second, *states]))


def initialized(mx):
    """What a Module's initializer gives the parameters of fused cells."""
    seen = []
    for mode in ("lstm", "gru"):
        mx.random.seed(2)
        with mx.name.NameManager(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cell = mx.rnn.FusedRNNCell(3, num_layers=2, mode=mode, bidirectional=True)
            outputs, _ = cell.unroll(3, mx.sym.Variable("data"), merge_outputs=True)
            lstm, _ = mx.rnn.LSTMCell(2, forget_bias=3.0).unroll(3, outputs, merge_outputs=True)
        module = mx.mod.Module(lstm, label_names=None)
        module.bind([("data", (2, 3, 4))])
        module.init_params(mx.init.Xavier())
        seen.append({k: v.asnumpy().tolist() for k, v in module.get_params()[0].items()})
    return seen


def convolved(mx):
    """Cells with convolutions: graphs, and weights of their gates."""
    seen = []
    made = {
        "rnn": lambda: mx.rnn.ConvRNNCell((1, 2, 8, 9), 4),
        "lstm": lambda: mx.rnn.ConvLSTMCell(
            (1, 2, 8, 9), 4, i2h_kernel=(5, 3), i2h_stride=(2, 1), i2h_pad=(2, 1),
            h2h_dilate=(2, 1), activation="tanh", prefix="p_",
        ),
        "gru": lambda: mx.rnn.ConvGRUCell((1, 2, 8, 9), 4, activation="relu"),
        "last": lambda: mx.rnn.ConvRNNCell((1, 8, 9, 2), 4, conv_layout="NHWC"),
    }  # fmt: skip
    for make in made.values():
        with mx.name.NameManager():
            cell = make()
            outputs, states = cell.unroll(2, [mx.sym.Variable("x"), mx.sym.Variable("y")])
            seen.append(nodes(mx.sym.Group([*outputs, *states])))
            seen.append([[list(one["shape"]), one["__layout__"]] for one in cell.state_info])
    return seen


def sentences(count=30):
    """Return sentences as numbers."""
    random_numbers = onp.random.RandomState(1)
    return [
        random_numbers.randint(1, 9, random_numbers.randint(1, 8)).tolist() for _ in range(count)
    ]


def batches(mx):
    """Batches of sentences, in the order of Python's and NumPy's generators."""
    seen = []
    for options in ({"buckets": [3, 5]}, {}, {"layout": "TN", "buckets": [7], "dtype": "int32"}):
        random.seed(1)
        onp.random.seed(1)  # noqa: NPY002 - the iterators shuffle by it
        found = mx.rnn.BucketSentenceIter(sentences(), 4, invalid_label=0, **options)
        for _ in range(2):
            seen += [
                [
                    batch.bucket_key, batch.data[0].asnumpy().tolist(),
                    batch.label[0].asnumpy().tolist(), [list(x[1]) for x in batch.provide_data],
                    batch.pad,
                ]
                for batch in found
            ]  # fmt: skip
            found.reset()
        seen.append([found.buckets, found.default_bucket_key, list(found.provide_data[0][1])])
    return seen


def encoded(mx):
    """Sentences as numbers."""
    encode = mx.rnn.encode_sentences
    text = [["a", "b"], ["b", "c", "a"]]
    return [
        encode(text),
        encode(text, start_label=1, invalid_label=0),
        encode(text, start_label=0, invalid_label=1, invalid_key="?"),
        encode(text, vocab={"a": 1, "b": 2, "c": 5}),
    ]


def trained(mx):
    """A language model in buckets, as MXNet's example trains it."""
    random.seed(3)
    onp.random.seed(3)  # noqa: NPY002
    mx.random.seed(3)
    train = mx.rnn.BucketSentenceIter(sentences(60), 4, buckets=[3, 5, 7], invalid_label=0)
    stack = mx.rnn.SequentialRNNCell()
    for layer in range(2):
        stack.add(mx.rnn.LSTMCell(6, prefix=f"lstm_l{layer}_"))

    def sym_gen(length):
        data, label = mx.sym.Variable("data"), mx.sym.Variable("softmax_label")
        embed = mx.sym.Embedding(data, input_dim=10, output_dim=5, name="embed")
        stack.reset()
        outputs, _ = stack.unroll(length, embed, merge_outputs=True)
        scores = mx.sym.FullyConnected(
            mx.sym.Reshape(outputs, shape=(-1, 6)), num_hidden=10, name="pred"
        )
        label = mx.sym.Reshape(label, shape=(-1,))
        return mx.sym.SoftmaxOutput(scores, label, name="softmax"), ("data",), ("softmax_label",)

    module = mx.mod.BucketingModule(sym_gen, default_bucket_key=train.default_bucket_key)
    metric = mx.metric.Perplexity(0)
    module.fit(
        train, eval_metric=metric, num_epoch=2, optimizer="sgd",
        optimizer_params={"learning_rate": 0.1, "momentum": 0.5},
        initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
    )  # fmt: skip
    params, _ = module.get_params()
    return [{k: v.asnumpy().tolist() for k, v in params.items()}, metric.get()[1]]


def _programs(names):
    found = {f"graphs/{name}": graphs(name) for name in names}
    found |= {f"values/{name}": values(name) for name in names if name not in UNRUN}
    return found


NAMES = [
    "rnn", "rnn_relu", "lstm", "gru", "stack", "both", "residual", "residual_both", "zoneout",
    "dropout", "fused_lstm", "fused_gru", "fused_relu", "fused_tanh", "fused_lstm_unfused",
    "fused_gru_unfused", "fused_relu_unfused", "fused_tanh_unfused", "shared",
]  # fmt: skip
# Have random parts or no weights, or differ from the real MXNet's in what they pack.
UNRUN = ("zoneout", "dropout", "stack", "shared")
PROGRAMS = _programs(NAMES) | {
    "stepped": stepped,
    "convolved": convolved,
    "initialized": initialized,
    "batches": batches,
    "encoded": encoded,
    "trained": trained,
}
