"""Keywords of other libraries that have another name here, and arguments by position."""

from __future__ import annotations

from typing import Final

# Their keyword, and ours; the first that the function has, and that was not given, is meant.
# What layers call their arguments, and operators theirs.
OF_OPERATORS: Final[dict[str, str]] = {
    "activation": "act_type",
    "channels": "num_filter",
    "function": "act_type",
    "hidden_size": "num_hidden",
    "kernel_size": "kernel",
    "padding": "pad",
    "pool_size": "kernel",
    "rate": "p",
    "strides": "stride",
    "units": "num_hidden",
}
COUNTED_OTHERWISE: Final[frozenset[str]] = frozenset(
    # whose values mean something else by our names: epochs for updates, norms for single numbers
    [
        "T_max",
        "clipnorm",
        "degrees",
        "gain",
        "max_grad_norm",
        "start_factor",
        "step_size",
        "warmup_epochs",
    ]
)
KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "T_max": ("max_update",),
    "activity": ("activation",),
    "alpha": ("gamma1", "rho"),
    "asynchronous": ("thread_pool",),
    "axis": ("dim", "axes"),
    "batchsize": ("batch_size",),
    "filter_size": ("kernel_size",),
    "num_units": ("units",),
    "output_dim": ("units",),
    "ratio": ("rate",),
    "prob": ("rate",),
    "dropout": ("rate",),
    "decay_steps": ("max_update", "step"),
    "decay_rate": ("factor",),
    "initial_learning_rate": ("base_lr",),
    **dict.fromkeys(
        ("epoch", "epochs", "max_epoch", "max_epochs", "n_epochs", "nb_epoch", "num_epochs"),
        ("num_epoch", "epochs"),
    ),
    **dict.fromkeys(("seq_len", "seq_lens", "valid_len", "valid_lens"), ("sequence_length",)),
    **dict.fromkeys(("valid_length", "valid_lengths"), ("sequence_length",)),
    "bias": ("use_bias",),
    "clip_gradients": ("clip_gradient",),
    "clip_value": ("clip_gradient",),
    "clipnorm": ("clip_gradient",),
    "clipvalue": ("clip_gradient",),
    "collate_fn": ("batchify_fn",),
    "data_format": ("layout",),
    "gradient": ("out_grad",),
    "grad_output": ("out_grad",),
    "degrees": ("angle_limits",),
    "delta": ("rho",),
    "device": ("ctx", "context"),
    "dilation_rate": ("dilation",),
    "dim": ("axis", "axes", "dim1"),
    "dims": ("axes", "axis", "shape"),
    "drop_prob": ("rate",),
    "embedding_dim": ("output_dim",),
    "end_lr": ("final_lr",),
    "eps": ("epsilon",),
    "eta_min": ("final_lr",),
    "features": ("units",),
    **dict.fromkeys(("format", "fmt", "ext"), ("img_fmt", "image_fmt")),
    "filters": ("channels",),
    "gain": ("magnitude",),
    "gamma": ("factor",),
    "gamma_init": ("gamma_initializer",),
    "hidden": ("num_hidden",),
    "hidden_units": ("hidden_size",),
    "init": ("weight_initializer",),
    "initializer": ("weight_initializer", "init"),
    "in_dim": ("in_units", "input_dim"),
    "in_features": ("in_units",),
    "input_channels": ("in_channels",),
    "input_dim": ("in_units", "input_size"),
    "input_units": ("in_units", "input_size"),
    "is_training": ("training",),
    "keepdim": ("keepdims",),
    "kernel": ("kernel_size",),
    "kernel_initializer": ("weight_initializer", "i2h_weight_initializer"),
    "kernel_size": ("pool_size", "kernel"),
    "keys": ("data",),
    "k": ("top_k",),
    "labels": ("label",),
    "lambd": ("wd",),
    "learning_rate": ("base_lr",),
    "logits": ("pred",),
    "lr": ("learning_rate", "base_lr"),
    "filepath": ("model_dir",),
    "max_grad_norm": ("clip_gradient",),
    "metrics": ("train_metrics", "eval_metric"),
    "milestones": ("step",),
    "name": ("prefix",),
    "negative_slope": ("alpha",),
    "nb_epoch": ("epochs",),
    "nb_epochs": ("num_epoch", "epochs"),
    "num_round": ("num_epoch", "epochs"),
    "num_rounds": ("num_epoch", "epochs"),
    "nonlinearity": ("activation",),
    "normalized_shape": ("in_channels",),
    "num_channels": ("in_channels",),
    "maxval": ("high",),
    "mean": ("loc",),
    "minval": ("low",),
    "num_classes": ("classes", "num_hidden", "depth"),
    "num_embeddings": ("input_dim",),
    "num_epoch": ("epochs",),
    "num_epochs": ("epochs",),
    "num_features": ("in_channels",),
    "num_filter": ("channels",),
    "num_filters": ("channels", "num_filter"),
    "num_group": ("groups",),
    "num_hidden": ("units", "hidden_size"),
    "num_output": ("num_hidden", "num_filter", "units", "channels"),
    "num_layer": ("num_layers",),
    "num_outputs": ("units",),
    "num_parameters": ("in_channels",),
    "optimizer": ("trainer",),
    "optimizer_args": ("optimizer_params",),
    "out_channels": ("channels",),
    "out_dim": ("units", "output_dim"),
    "out_features": ("units",),
    "output_size": ("units", "size"),
    "p": ("rate", "ord"),
    "pad": ("padding",),
    "pool_size": ("kernel_size",),
    "prediction": ("pred", "preds"),
    "proj_size": ("projection_size",),
    "rate": ("p",),
    "recurrent_initializer": ("h2h_weight_initializer",),
    "shape": ("size",),
    "size": ("shape",),
    "sparse": ("sparse_grad",),
    "start_factor": ("warmup_begin_lr",),
    "std": ("sigma", "scale"),
    "stddev": ("sigma", "scale"),
    "step_size": ("step", "max_update"),
    "steps": ("num", "step"),
    "stop_factor": ("stop_factor_lr",),
    "stride": ("strides",),
    "strides": ("stride",),
    "targets": ("label",),
    "target": ("label",),
    "units": ("hidden_size", "channels"),
    "upscale_factor": ("factor",),
    "val_data": ("eval_data",),
    "validation_data": ("val_data", "eval_data"),
    "warmup_epochs": ("warmup_steps",),
    "weight_decay": ("wd",),
    "weight_init": ("weight_initializer",),
    "weights": ("pretrained",),
    "y_pred": ("preds", "pred"),
    "y_true": ("labels", "label"),
    "num_samples": ("length",),
    "beta_1": ("beta1",),
    "beta_2": ("beta2",),
    "rho": ("gamma1",),
    "scale": ("sigma",),
    "variance_epsilon": ("epsilon",),
}

# What is probably meant where arguments by position do not fit.
POSITIONS: Final[dict[str, str]] = {
    "export_model": "For a net, net.export('net') writes the first two: export_model("
    "'net-symbol.json', 'net-0000.params', [(1, 3)])",
    **{
        f"Conv{n}D": (
            f"PyTorch's Conv{n}d(n, m, size) is Conv{n}D(m, size) here: it finds n itself"
        )
        for n in (1, 2, 3)
    },
    **{
        f"Conv{n}DTranspose": (
            f"PyTorch's ConvTranspose{n}d(n, m, size) is Conv{n}DTranspose(m, size) here: it finds "
            f"n itself"
        )
        for n in (1, 2, 3)
    },
    "summary": (
        "net.summary(x) shows the way of a batch x, such as the net is trained on: "
        "mx.nd.zeros((1, 1, 28, 28)) is one of a grey picture; print(net) shows the layers alone"
    ),
    "Dense": "PyTorch's Linear(n, m) is Dense(m) here: it finds n itself",
    "BatchNorm": "PyTorch's BatchNorm2d(n) is BatchNorm() here: it finds n itself",
    "LayerNorm": "PyTorch's LayerNorm(n) is LayerNorm() here: it finds n itself",
    "InstanceNorm": "PyTorch's InstanceNorm2d(n) is InstanceNorm() here: it finds n itself",
    "GroupNorm": "PyTorch's GroupNorm(g, n) is GroupNorm(g) here: it finds n itself",
    **{
        name: f"PyTorch's {name}(n, m) is {name}(m) here: it finds n itself"
        for name in ("LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell")
    },
    "Embedding": "Embedding(words, units) needs both numbers",
    "LeakyReLU": "alpha is the slope below 0: LeakyReLU(0.01) is PyTorch's default, 0.3 Keras'",
    "Activation": "Activation('relu') names the function",
    "Initializer": "net.initialize(mx.init.Xavier()) fills all, p.initialize(init) one parameter",
    "Uniform": "Uniform(0.1) draws from -0.1 to 0.1",
    "Normal": "Normal(0.01) draws with mean 0 and that deviation",
    "Compose": "Compose([...]) takes one list of transforms",
    "Trainer": "Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}) has all it needs",
    "Trainer.step": "trainer.step(x.shape[0]) divides the gradients by the number of samples",
    "EvalMetric.update": "metric.update(labels, preds) takes labels first",
    "Accuracy.update": "metric.update(labels, preds) takes labels first",
    "DataLoader": "DataLoader(gluon.data.ArrayDataset(data, labels), batch_size=32) joins arrays",
    "save": "save(name, {'x': x, 'y': y}) keeps arrays under names, save(name, [x, y]) without",
    "CustomOp.assign": (
        "self.assign(out_data[0], req[0], y) takes what is asked for in the middle: forward and "
        "backward get it as req"
    ),
    "csr_matrix": "csr_matrix((data, indices, indptr), shape=(2, 3)) takes the three as one tuple",
    "row_sparse_array": "row_sparse_array((data, indices), shape=(2, 3)) takes both as one tuple",
    "tile": "nd.tile(x, reps=(2, 2)) takes the numbers as one tuple",
    "one_hot": "nd.one_hot(x, depth) has depth columns, one for each class",
    "pad": (
        "mx.np.pad(x.as_np_ndarray(), ((1, 1), (1, 1))) pads as NumPy does; nd.pad pads 4 axes: "
        "nd.pad(x, mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 1, 1))"
    ),
    "randint": "nd.random.randint(0, 10, shape=(2, 3)) draws numbers below 10",
    "uniform": "nd.random.uniform(0, 1, shape=(2, 3)) takes the shape as one tuple",
    "normal": "nd.random.normal(0, 1, shape=(2, 3)) takes the shape as one tuple",
    "imresize": "imresize(picture, width, height) takes two numbers",
    **{
        f"{name}.unroll": "cell.unroll(length, inputs) takes the number of steps first"
        for name in ("RecurrentCell", "BaseRNNCell")
    },
    "BaseModule.score": "mod.score(iterator, 'acc') names the metric",
    "Loss.update": "metric.update(None, loss) takes the loss second",
    "Perplexity": "Perplexity(ignore_label=None) counts all labels",
    "Checkpoint": "Checkpoint(folder, net, trainer) keeps a training",
    "Constant": "Constant(0.5) fills with that number",
    "Estimator.evaluate": "est.evaluate(loader) needs batches to predict",
    "foreach": "nd.contrib.foreach(body, data, states) calls body(slice, states)",
    "BaseModule.set_params": "mx.model.load_checkpoint gives both; aux_params={} has none",
    "BaseModule.fit": (
        "mod.fit(mx.io.NDArrayIter(X, y, batch_size=32), num_epoch=10) takes an iterator of batches"
    ),
    "autograd.grad": "autograd.grad(head, [x]) names the arrays whose gradients are wanted",
    "autograd.record": "with autograd.record(): records what is computed below it",
    "reshape": "x.reshape((2, 3)) takes the lengths by position",
    "transpose": "nd.transpose(x, axes=(1, 0)) takes the axes as one tuple",
    "shuffle": (
        "It takes one array; for pairs write i = nd.random.shuffle(nd.arange(len(x))), then "
        "x.take(i) and y.take(i)"
    ),
    "where": (
        "mx.np.nonzero(condition)[0] tells places along the first axis, [1] along the second; "
        "nd.where(condition, x, y) chooses elements, (condition).sum() counts them"
    ),
    "round": "x.asnumpy().round(2) rounds to two digits, np.around(x, 2) of mx.np, too",
    "slice_axis": "end=None takes all to the end, end=-1 all but the last",
    "zeros": "nd.zeros((2, 3)) takes the shape as one tuple",
    "ones": "nd.ones((2, 3)) takes the shape as one tuple",
    "concatenate": "concatenate([x, y], axis=0) takes one list of arrays",
    "SequentialRNNCell": "Write cell = SequentialRNNCell(), then cell.add(other) for each",
    "HybridSequentialRNNCell": "Write cell = HybridSequentialRNNCell(), then cell.add(other)",
    "BidirectionalCell": "BidirectionalCell(l_cell, r_cell) takes two cells, such as two "
    "LSTMCell(16): the second goes backwards",
    "EarlyStoppingHandler": "EarlyStoppingHandler(monitor=metric) watches a metric",
    "CosineScheduler": "CosineScheduler(max_update=1000, base_lr=0.1) ends after that many updates",
    "FactorScheduler": "FactorScheduler(step=100, factor=0.9) counts updates, not epochs",
    "MultiFactorScheduler": "MultiFactorScheduler([100, 200], 0.1) counts updates, not epochs",
}
