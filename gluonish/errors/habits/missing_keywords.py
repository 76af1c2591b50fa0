"""Keywords of other libraries that have no counterpart here, and what to do."""

from __future__ import annotations

from typing import Final

_INFERRED: Final = "the first call finds it"
_GRADIENT_OF: Final = (
    "leave it out; x.attach_grad() of the new array x says that its gradient is wanted"
)
_PER_SAMPLE: Final = (
    "leave it out: a loss gives one number for each sample; loss.mean() and loss.sum() reduce "
    "them, and trainer.step(batch_size) divides by the batch"
)
_STEPS_ALL: Final = (
    "leave it out, all steps come out; output[:, -1] is the last one of layout='NTC', which has "
    "Keras' order (batch, steps, features), output[-1] of layout='TNC'; in a Sequential, "
    "nn.Lambda(lambda x: x[:, -1]) behind the layer takes it"
)
_NO_BIAS: Final = "no_bias=True leaves the bias out"
_STATES: Final = (
    "call it with states, as in output, states = layer(x, layer.begin_state(batch_size)), and they "
    "come out, too"
)
_MEMORY: Final = "memory is planned by gluonish; leave it out"
_OWN_CODE: Final = "the update is chosen by gluonish, which takes the fastest; leave it out"
_STATISTICS: Final = "use_global_stats=True takes the running averages also in training"
_AFFINE: Final = "scale=False, center=False leave out what it learns"
_DEVICE_OF_ALL: Final = "net.initialize(ctx=mx.gpu()) says where the parameters of all layers are"
_BATCHNORM_MOMENTUM: Final = "its momentum is 1 minus PyTorch's"

# Their keywords for which there is none, and what to do; for all, or for those of one class.
SENTENCES: Final[dict[str, str]] = {
    "add_bias_kv": "there is no such bias",
    "affine": _AFFINE,
    "elementwise_affine": _AFFINE,
    "descending": "is_ascend=False sorts downwards",
    "reverse": "np.flip(np.sort(x)) sorts downwards in np, is_ascend=False in nd",
    "amsgrad": "there is no AMSGrad; Adam and AdamW are as MXNet has them",
    "approximate": "GELU() computes with erf; nd.LeakyReLU(x, act_type='gelu') is the same",
    **dict.fromkeys(("device", "ctx", "context"), _DEVICE_OF_ALL),
    "dtype": (
        "cast the array, as in nd.sum(x.astype('float64')); net.cast('float16') converts a net"
    ),
    "batch_first": "layout='NTC' is PyTorch's batch_first=True; 'TNC' is the default",
    "batch_input_shape": _INFERRED,
    "betas": "beta1=0.9, beta2=0.999 are written apart",
    "capturable": _OWN_CODE,
    "centered": "RMSProp(centered=True) has it",
    "class_weight": (
        "pass the weight of each sample: loss(pred, label, weights[label].reshape((-1, 1))), with "
        "weights = nd.array([...]) of one number a class"
    ),
    "dampening": "the momentum of SGD is not dampened",
    "decoupled_weight_decay": "AdamW is Adam with decoupled weight decay",
    "differentiable": _OWN_CODE,
    "divisor_override": "the sum is x.sum(...), the mean divides by the window",
    "slice.size": "end, behind which nothing is taken, is begin + size for each axis",
    "split": "train=True are the samples to learn from, train=False those to test with",
    "download": "files that are missing are downloaded by themselves; leave it out",
    "drop_last": "last_batch='discard' drops what is too little for a batch",
    "end_dim": "Flatten keeps the first axis and joins the others; x.reshape joins some",
    "foreach": _OWN_CODE,
    "full": "compute_full=True adds the term of Stirling",
    "fused": _OWN_CODE,
    "ignore_index": "pass weights of 0 for such samples: loss(pred, label, sample_weight)",
    "in_channels": _INFERRED,
    "in_features": _INFERRED,
    **dict.fromkeys(("num_channels", "num_features", "normalized_shape"), _INFERRED),
    "initial_accumulator_value": "the sums begin with 0",
    "initializer_range": "net.initialize(mx.init.Normal(0.02)) fills the parameters",
    "inplace": _MEMORY,
    "input_shape": f"leave it out: {_INFERRED}",
    "input_size": _INFERRED,
    "label_smoothing": (
        "smooth one-hot labels yourself, and make the loss with sparse_label=False"
    ),
    "lr_decay": "lr_scheduler=mx.lr_scheduler.FactorScheduler(...) lowers the learning rate",
    "decay": "lr_scheduler=mx.lr_scheduler.FactorScheduler(...) lowers the learning rate, wd= is "
    "weight decay",
    "max_norm": "gluon.utils.clip_global_norm(arrays, max_norm) limits norms",
    "maximize": "take the gradient of -loss",
    "momentum_decay": "Nadam's schedule_decay is it",
    "nesterov": "NAG is SGD with Nesterov's momentum: optimizer 'nag'",
    "norm_type": "the 2-norm is what there is",
    "num_batches_tracked": "batches are not counted",
    "padding_idx": (
        "leave it out; embedded * (ids != 0).expand_dims(2) makes the vectors of word 0 zeros"
    ),
    "padding_mode": (
        "convolutions pad with zeros; nn.ReflectionPad2D before the layer, or "
        "nd.pad(x, mode='edge', ...), pad otherwise"
    ),
    "params": "gluon.Trainer(net.collect_params(), optimizer) brings the two together",
    "persistent_workers": "workers live as long as the DataLoader; leave it out",
    "ArrayDataset.transform": (
        "gluon.data.ArrayDataset(x, y).transform_first(function) applies a function to the data"
    ),
    "worker_init_fn": "transforms draw from streams that mx.random.seed repeats; leave it out",
    "generator": "mx.random.seed(...) and numpy.random.seed(...) repeat the order",
    "pin_memory_device": "pin_memory=True, with ctx=mx.gpu() of DataLoader, is enough",
    "pos_weight": "pass it where the loss is called: loss(pred, label, None, pos_weight)",
    "recurrent_dropout": (
        "leave it out: a layer drops between its layers, dropout=0.2; a cell to unroll can be "
        "wrapped, as in gluon.contrib.rnn.VariationalDropoutCell(gluon.rnn.LSTMCell(12), "
        "drop_states=0.2)"
    ),
    "reduce": _PER_SAMPLE,
    "reduction": _PER_SAMPLE,
    "requires_grad": _GRADIENT_OF,
    "SigmoidBinaryCrossEntropyLoss.from_logits": (
        "leave it out: from_sigmoid=False, the default, takes scores before the sigmoid"
    ),
    "FullyConnected.use_bias": _NO_BIAS,
    "Convolution.use_bias": _NO_BIAS,
    "Deconvolution.use_bias": _NO_BIAS,
    "return_indices": "nd.argmax(x, axis) gives positions",
    "return_sequences": _STEPS_ALL,
    "return_state": _STATES,
    "go_backwards": "bidirectional=True runs both ways; nd.flip(x, axis=0) turns steps around",
    "stateful": _STATES,
    "scale_grad_by_freq": "gradients are not scaled by how often an id occurs",
    "size_average": _PER_SAMPLE,
    "start_dim": "Flatten keeps the first axis and joins the others; x.reshape joins some",
    "swap": "only the anchor's distances count",
    "track_running_stats": _STATISTICS,
    "training": (
        "leave it out: a net learns inside of autograd.record(), and predicts outside; "
        "autograd.train_mode() and autograd.predict_mode() say so for some lines"
    ),
    "train": "leave it out: a net learns inside of autograd.record(), and predicts outside",
    "trainable": "net.collect_params().setattr('grad_req', 'null') freezes parameters",
    "use_bias": "there is no bias to leave out",
    "bias": "there is no switch for the bias; collect_params('.*bias') finds biases",
    "weight": "loss(pred, label, sample_weight) weighs samples",
    "zero_infinity": "impossible alignments give infinity",
    "blank": "the last class is the blank",
    "log_target": "labels are probabilities",
    "log_input": "from_logits=True is PyTorch's log_input=True",
    "verbose": "the log shows it: logging.getLogger().setLevel(logging.INFO)",
    "callbacks": "write event_handlers=[...]; gluon.contrib.estimator has the handlers",
    **dict.fromkeys(
        ("validation_split", "validation_freq", "validation_steps"),
        "val_data=loader is evaluated after each epoch; ArrayDataset(x[:n], y[:n]) and "
        "ArrayDataset(x[n:], y[n:]) are two parts",
    ),
    "initial_epoch": "est.fit goes on where the net and its trainer are",
    "y": "gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch_size) has both",
    "lr_mult": "p.lr_mult = 2 is a parameter's factor, optimizer.set_lr_mult({name: 2}) of several",
    "wd_mult": "p.wd_mult = 0 is a parameter's factor, optimizer.set_wd_mult({name: 0}) of several",
    "steps_per_epoch": "batches=... ends after so many batches",
    "ceil_mode": "ceil_mode is known to poolings only",
    "stop_gradient": "nd.BlockGrad(x), or x.detach(), stops gradients",
    "mask_zero": (
        "leave it out, and give lengths where they count: rnn.LSTM(n, use_sequence_length=True), "
        "or nd.SequenceMask(x, lengths, True, axis=1) for data of shape (batch, steps, ...)"
    ),
    "input_length": "leave it out: it takes sequences of any length",
    "activity_regularizer": "add it to the loss",
    **dict.fromkeys(
        ("bias_regularizer", "kernel_regularizer"),
        "leave it out, and write gluon.Trainer(net.collect_params(), 'sgd', {'wd': 1e-4})",
    ),
    "kernel_constraint": "change weights after trainer.step(...)",
    "device_ids": "net.initialize(ctx=[mx.gpu(0), mx.gpu(1)]) puts a net on several devices",
    "last_epoch": "a schedule is asked with the number of updates",
    "array.copy": "nd.array always copies",
    "reshape.order": "arrays are in C's order",
    "array.order": "arrays are in C's order",
    "array.ndmin": "x.reshape((1, 2, -1)) adds axes",
    "num_workers": "num_workers is an argument of gluon.data.DataLoader",
    "tolist": "x.asnumpy().tolist() gives lists",
    "Module.fit.y": "the first argument, an iterator, has both",
    "Module.fit.ctx": "mx.mod.Module(symbol, context=mx.cpu()) says where, when it is made",
    "Estimator.fit.batch_size": (
        "the loader has it: est.fit(gluon.data.DataLoader(dataset, batch_size=32), epochs=5)"
    ),
    "Classifier.weights": "pretrained=True, or pretrained='FILE.pth', loads weights",
    "Normal.mean": "the mean is 0",
    "Initializer.low": "one number is the limit on both sides",
    "Initializer.high": "one number is the limit on both sides",
    "Initializer.a": "one number is the limit on both sides",
    "Initializer.b": "one number is the limit on both sides",
    "mode": "rnd_type='uniform' or 'gaussian', and factor_type='in', 'out' or 'avg', choose",
    "seed": "mx.random.seed(...) repeats what is drawn",
    "batch_axis": "batches are along axis 0",
    "subset": "validation parts are cut by dataset.shard, or gluon.data.SplitSampler",
    "target_transform": "dataset.transform(lambda data, label: (data, label)) changes both",
    "fill": "what is outside is black",
    "expand": "zoom_in and zoom_out choose the part that is seen",
    "antialias": "pictures are resized as OpenCV does it",
    # of one class
    "arange.num": "nd.linspace(0, 10, 5) has so many numbers",
    "record.retain_graph": "loss.backward(retain_graph=True) keeps the graph",
    "DataLoader.transform": "dataset.transform_first(function) changes samples, before batches",
    "Parameter.requires_grad": "grad_req='null' is a parameter that is not trained",
    "BatchNorm.momentum": _BATCHNORM_MOMENTUM,
    "keep_prob": "leave it out: p, or the rate of nn.Dropout, is what is dropped, 1 - keep_prob",
    "Dropout.axis": "axes=(2, 3) are the axes along which a mask is shared",
    "LSTM.activation": "its functions are tanh and sigmoid; RNN(activation=...) has a choice",
    "GRU.activation": "its functions are tanh and sigmoid; RNN(activation=...) has a choice",
    "LSTM.bias": "recurrent layers always have biases",
    "GRU.bias": "recurrent layers always have biases",
    "RNN.bias": "recurrent layers always have biases",
    "LSTMCell.bias": "recurrent layers always have biases",
    "GRUCell.bias": "recurrent layers always have biases",
    "RNNCell.bias": "recurrent layers always have biases",
    "LSTM.use_bias": "recurrent layers always have biases",
    "GRU.use_bias": "recurrent layers always have biases",
    "RNN.use_bias": "recurrent layers always have biases",
    "BatchNorm.bias": "center=False leaves out the shift, beta",
    "InstanceNorm.bias": "center=False leaves out the shift, beta",
    "GroupNorm.bias": "center=False leaves out the shift, beta",
    "LayerNorm.bias": "center=False leaves out the shift, beta",
    "InstanceNorm.momentum": "it has no running averages",
    "InstanceNorm.track_running_stats": "it has no running averages",
    "MaxPool1D.dilation": "windows have no holes",
    "MaxPool2D.dilation": "windows have no holes",
    "MaxPool3D.dilation": "windows have no holes",
    "SELU.alpha": "its numbers are fixed",
    "PReLU.init": "alpha_initializer=mx.init.Constant(0.25) fills it",
    "PReLU.num_parameters": "in_channels is it",
    "GELU.approximate": "GELU() is exact",
    **{
        f"{place}.{word}": f"write optimizer_params={{'{ours}': {value}}}"
        for place in ("BaseModule.fit", "BaseModule.init_optimizer")
        for word, ours, value in (
            ("lr", "learning_rate", 0.1),
            ("learning_rate", "learning_rate", 0.1),
            ("momentum", "momentum", 0.9),
            ("wd", "wd", 0.0001),
            ("weight_decay", "wd", 0.0001),
        )
    },
    "include_top": "leave it out: net.features is a zoo net without its last layer, net.output",
    "Estimator.optimizer": "write trainer=gluon.Trainer(net.collect_params(), 'adam')",
    "histogram.density": (
        "leave it out, and divide: density = counts / (x.size * (edges[1] - edges[0]))"
    ),
    "Trainer.lr": "write optimizer_params={'learning_rate': 0.1}",
    "Trainer.learning_rate": "write optimizer_params={'learning_rate': 0.1}",
    "Trainer.momentum": "write optimizer_params={'momentum': 0.9}",
    "Trainer.wd": "write optimizer_params={'wd': 0.0001}",
    "Trainer.weight_decay": "write optimizer_params={'wd': 0.0001}",
    "Trainer.lr_scheduler": "write optimizer_params={'lr_scheduler': schedule}",
    "Uniform.low": "Uniform(0.1) draws from -0.1 to 0.1",
    "Uniform.minval": "Uniform(0.1) draws from -0.1 to 0.1",
    "Uniform.maxval": "Uniform(0.1) draws from -0.1 to 0.1",
    "array.requires_grad": _GRADIENT_OF,
    "RMSProp.momentum": "centered=True has one, gamma2",
    "Adamax.eps": "it divides by the largest gradient, which needs no epsilon",
    "TripletLoss.p": "distances are squared 2-norms",
    "TripletLoss.eps": "distances are squared 2-norms, which need no epsilon",
    "RMSProp.alpha": "gamma1 is PyTorch's alpha",
    "Adamax.foreach": _OWN_CODE,
    "AdaGrad.eps": "epsilon is it",
    "LeakyReLU.inplace": _MEMORY,
    "clip.min": "a_min and a_max are both needed: x.clip(0, float('inf'))",
    "clip.max": "a_min and a_max are both needed: x.clip(-float('inf'), 1)",
    "Initializer.seed": "mx.random.seed(...) repeats what is drawn",
}
