"""Rarer names that other libraries' modules have, and what to use here."""

from __future__ import annotations

from typing import Final

_OF_TORCH: Final = "gluon.TorchBlock(torch.nn.{0}(...)) is a layer of PyTorch's"
_BIDIRECTIONAL: Final = "rnn.LSTM(100, bidirectional=True) goes both ways; rnn.GRU, too"
_SIMPLE_RNN: Final = "Keras's SimpleRNN(n) is rnn.RNN(n) here"
_PICTURES: Final = (
    "gluon.data.vision.transforms change pictures: dataset.transform_first(transforms.{0})"
)
_HANDLER: Final = "gluon.contrib.estimator.{0} is it, for est.fit(data, event_handlers=[...])"
_SCHEDULE: Final = (
    "gluon.Trainer(params, 'sgd', {'lr_scheduler': schedule}) changes the rate; "
    "trainer.set_learning_rate(0.01) does in a loop of your own"
)
_SHOWN: Final = "net.summary(x) is a table of layers, mx.viz.plot_network(net(mx.sym.var('data')))"
_SAVED: Final = "matplotlib's plt.imsave(file, x.asnumpy()) writes a picture, plt.imshow shows it"

_LAYERS: Final[dict[str, str]] = {
    "SimpleRNN": _SIMPLE_RNN,
    "Bidirectional": _BIDIRECTIONAL,
    "TimeDistributed": "Dense(n, flatten=False) works on the last axis, step by step",
    "Subtract": "x - y subtracts",
    "Multiply": "x * y multiplies",
    "Average": "(x + y) / 2 is the mean",
    "Maximum": "nd.maximum(x, y) is it",
    "Minimum": "nd.minimum(x, y) is it",
    "Dot": "nd.batch_dot(x, y) multiplies, in a HybridBlock F.batch_dot(x, y)",
    "RepeatVector": "x.expand_dims(1).repeat(n, axis=1) repeats",
    "DepthwiseConv2D": "Conv2D(n, size, groups=n) of n channels is it",
    "SeparableConv2D": "Conv2D(n, size, groups=n), then Conv2D(m, 1), is it",
    "GaussianNoise": "x + F.random.normal_like(x, scale=0.1) in a HybridBlock adds noise",
    "SpatialDropout2D": "Dropout(rate, axes=(2, 3)) drops whole channels",
    "Dropout1d": "Dropout(rate, axes=(2,)) drops whole channels",
    "Dropout2d": "Dropout(rate, axes=(2, 3)) drops whole channels",
    "Dropout3d": "Dropout(rate, axes=(2, 3, 4)) drops whole channels",
    "AlphaDropout": "Dropout(rate) is what there is",
    "Attention": (
        "F.batch_dot, F.softmax and F.contrib.interleaved_matmul_selfatt_qk compute attention"
    ),
    "Rescaling": "x / 255 scales; transforms.ToTensor() does, too",
    "Normalization": "transforms.Normalize(mean, std) is for pictures, BatchNorm() for features",
    "Masking": "F.SequenceMask(x, lengths, use_sequence_length=True) masks steps",
    "Cropping2D": "x[:, :, 1:-1, 1:-1] cuts edges off",
    "CategoryEncoding": "nd.one_hot(x, depth) is it",
    "TextVectorization": "mx.contrib.text.vocab.Vocabulary(counter) numbers words",
    "StringLookup": "mx.contrib.text.vocab.Vocabulary(counter) numbers words",
    "ConvLSTM2D": "gluon.contrib.rnn.Conv2DLSTMCell is a cell of it",
    "StackedRNNCells": "rnn.SequentialRNNCell() stacks cells: stack.add(cell)",
    "RandomFlip": _PICTURES.format("RandomFlipLeftRight()"),
    "RandomRotation": _PICTURES.format("RandomRotation((-10, 10))"),
    "RandomZoom": _PICTURES.format("RandomResizedCrop(224)"),
    "CenterCrop": _PICTURES.format("CenterCrop(224)"),
    "Resizing": _PICTURES.format("Resize(224)"),
    **{
        name: _OF_TORCH.format(name)
        for name in (
            "AdaptiveLogSoftmaxWithLoss",
            "CELU",
            "ChannelShuffle",
            "CircularPad1d",
            "CircularPad2d",
            "CircularPad3d",
            "ConstantPad1d",
            "ConstantPad3d",
            "CrossMapLRN2d",
            "EmbeddingBag",
            "FeatureAlphaDropout",
            "Fold",
            "FractionalMaxPool2d",
            "FractionalMaxPool3d",
            "GLU",
            "Hardshrink",
            "Hardswish",
            "LPPool1d",
            "LPPool2d",
            "LPPool3d",
            "LocalResponseNorm",
            "MaxUnpool1d",
            "MaxUnpool2d",
            "MaxUnpool3d",
            "PairwiseDistance",
            "PixelUnshuffle",
            "RReLU",
            "ReflectionPad1d",
            "ReflectionPad3d",
            "ReplicationPad1d",
            "ReplicationPad3d",
            "Softmax2d",
            "Softmin",
            "Softshrink",
            "Tanhshrink",
            "Threshold",
            "Transformer",
            "TransformerDecoder",
            "TransformerDecoderLayer",
            "TransformerEncoder",
            "TransformerEncoderLayer",
            "Unfold",
            "UpsamplingBilinear2d",
            "UpsamplingNearest2d",
            "ZeroPad1d",
            "ZeroPad3d",
        )
    },
    **{
        f"Lazy{theirs}{n}d": f"PyTorch's Lazy{theirs}{n}d is {ours.format(n)} here"
        for theirs, ours in (
            ("Conv", "Conv{0}D"),
            ("ConvTranspose", "Conv{0}DTranspose"),
            ("BatchNorm", "BatchNorm"),
            ("InstanceNorm", "InstanceNorm"),
        )
        for n in (1, 2, 3)
    },
    **dict.fromkeys(("ParameterList", "Buffer"), "self.params.get('name', shape=...) makes one"),
}
_WRITTEN: Final = "Write it with operators, in a class derived from gluon.loss.Loss"
_LOSSES: Final[dict[str, str]] = {
    "KLDivergence": "Keras's KLDivergence is gluon.loss.KLDivLoss(from_logits=False) here",
    "CosineSimilarity": "gluon.loss.CosineEmbeddingLoss is it",
    "Hinge": "gluon.loss.HingeLoss is it",
    "Poisson": "gluon.loss.PoissonNLLLoss is it",
    "MarginRankingLoss": "gluon.loss.TripletLoss is the nearest",
    **dict.fromkeys(
        (
            "GaussianNLLLoss",
            "MultiLabelMarginLoss",
            "MultiMarginLoss",
            "DiceLoss",
            "FocalLoss",
            "MultiLabelSoftMarginLoss",
            "TripletMarginWithDistanceLoss",
            "NLLLoss2d",
        ),
        _WRITTEN,
    ),
}
_MEASURED: Final = "mx.metric.np(function) makes a metric of a function of labels and predictions"
_METRICS: Final[dict[str, str]] = {
    "RootMeanSquaredError": "mx.metric.RMSE() is it",
    "accuracy_score": "mx.metric.Accuracy() is it: update(labels, preds), then get()[1]",
    "Sum": "mx.metric.Loss() is the mean of what update(None, values) is given",
    **dict.fromkeys(
        ("R2Score", "ConfusionMatrix", "CosineSimilarity", "IoU", "MeanIoU", "mAP", "BLEU"),
        _MEASURED,
    ),
}
_INITIALIZERS: Final[dict[str, str]] = {
    "GlorotNormal": "mx.init.Xavier(rnd_type='gaussian') is it",
    "HeUniform": "mx.init.MSRAPrelu() is what there is; it draws normally distributed numbers",
    "VarianceScaling": "mx.init.Xavier(rnd_type, factor_type, magnitude) is it",
    "LecunNormal": "mx.init.Xavier(rnd_type='gaussian', factor_type='in', magnitude=1) is it",
    "LecunUniform": "mx.init.Xavier(factor_type='in', magnitude=3) is it",
}
_OPTIMIZERS: Final[dict[str, str]] = {
    "ASGD": "gluon.MovingAverage(net.collect_params()) keeps averages of weights",
    "swa_utils": "gluon.MovingAverage(net.collect_params()) keeps averages of weights",
    "clip_grad_norm_": "gluon.utils.clip_global_norm(arrays, max_norm) is it",
    "Momentum": "mx.optimizer.SGD(momentum=0.9) is it",
}
_SCHEDULES: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("CosineAnnealingWarmRestarts", "CyclicLR", "SequentialLR"),
        "A function of the number of updates is a schedule, too: {'lr_scheduler': function}",
    ),
    "ConstantLR": "Leave it out: without a schedule the rate stays",
    "PiecewiseConstantDecay": "MultiFactorScheduler([1000, 2000], 0.1) counts updates",
    "LearningRateScheduler": "LRScheduler is the base class of schedules",
    "WarmUp": "Every schedule has warmup_steps and warmup_begin_lr",
}
_CALLBACKS: Final[dict[str, str]] = {
    "TensorBoard": _HANDLER.format("TensorBoardHandler"),
    "CSVLogger": _HANDLER.format("CSVHandler"),
    "ProgbarLogger": "mx.callback.ProgressBar(total) is it; est.fit(progress_bar=True), too",
    "History": "est.history of an Estimator has the metrics after each epoch",
    "LearningRateScheduler": _SCHEDULE,
    "ReduceLROnPlateau": _SCHEDULE,
    **dict.fromkeys(
        ("Callback", "LambdaCallback", "TerminateOnNaN"),
        "mod.fit(batch_end_callback=function) calls a function of one argument, param",
    ),
    "BackupAndRestore": "mx.callback.do_checkpoint('prefix') keeps every epoch",
}
_HANDLERS: Final[dict[str, str]] = {
    "LearningRateScheduler": _SCHEDULE,
    "ReduceLROnPlateau": _SCHEDULE,
    **dict.fromkeys(
        ("Callback", "LambdaCallback", "TerminateOnNaN"),
        "Derive a class from BatchEnd or EpochEnd: def epoch_end(self, estimator): ...",
    ),
}
_DRAWN: Final = "mx.np.random.uniform, normal, gamma and their kin draw; dir(np.random) lists them"
_CLUSTER: Final = (
    "gluon.contrib.data.IntervalSampler and gluon.data.Sampler choose samples; "
    "dataset.shard(workers, rank) is the part of one worker"
)


def _under(path: str, names: dict[str, str]) -> dict[str, str]:
    return {f"{path}.{name}": hint for name, hint in names.items()}


# Names that a module lacks, by path, and what to use.
RARER: Final[dict[str, str]] = {
    **dict.fromkeys(
        (f"symbol.{name}" for name in ("Input", "input", "placeholder", "Placeholder")),
        "mx.sym.var('data') is an input of a graph, whose shape bind() tells",
    ),
    "ndarray.relu6": "nd.clip(x, 0, 6) is it, nn.Lambda(lambda x: nd.clip(x, 0, 6)) a layer of it",
    **_under("nn", _LAYERS),
    **_under("gluon.loss", _LOSSES),
    **_under("nn", _LOSSES),
    **_under("metric", _METRICS),
    **_under("init", _INITIALIZERS),
    **_under("optimizer", _OPTIMIZERS),
    **_under("lr_scheduler", _SCHEDULES),
    **_under("callback", _CALLBACKS),
    **_under("gluon.contrib.estimator", _HANDLERS),
    **_under(
        "gluon.rnn",
        {
            "SimpleRNN": _SIMPLE_RNN,
            "Bidirectional": _BIDIRECTIONAL,
            "MultiRNNCell": "rnn.SequentialRNNCell() stacks cells: stack.add(cell)",
            "DropoutWrapper": "rnn.ZoneoutCell(cell) and rnn.DropoutCell(rate) are such cells",
            **dict.fromkeys(
                ("pack_padded_sequence", "pad_packed_sequence", "pad_sequence"),
                "nd.SequenceMask(x, lengths, use_sequence_length=True) masks what is too long; "
                "rnn.LSTM(n, use_sequence_length=True) takes lengths",
            ),
        },
    ),
    **_under(
        "autograd",
        {
            "is_grad_enabled": "autograd.is_recording() tells",
            "train_section": "autograd.record() is it",
            "test_section": "autograd.pause() is it",
            **dict.fromkeys(
                ("jacobian", "hessian", "functional"),
                "autograd.grad(y, [x], create_graph=True) gives gradients that have gradients",
            ),
            "detect_anomaly": "mx.monitor.Monitor(1) and np.isnan(x) look for what is no number",
            "gradcheck": "mx.test_utils.check_numeric_gradient is it",
        },
    ),
    **_under(
        "viz",
        {
            **dict.fromkeys(
                ("plot_model", "summary", "model_to_dot", "draw", "make_dot"), f"{_SHOWN} a picture"
            ),
            "plot": "mx.viz.plot_history(est.history) draws curves",
        },
    ),
    **_under(
        "image",
        {
            **dict.fromkeys(("imwrite", "imsave", "imshow"), _SAVED),
            **dict.fromkeys(
                ("open", "load_img", "read", "img_to_array"), "mx.image.imread(file) reads pictures"
            ),
            "cvtColor": "mx.image.imread(file, to_rgb=False) keeps BGR; x[:, :, ::-1] turns them",
            "rotate": "mx.image.imrotate(x, angle) is it, for (channels, height, width)",
        },
    ),
    **_under(
        "gluon.utils",
        {
            "to_categorical": "nd.one_hot(labels, depth) is it",
            "get_file": "gluon.utils.download(url) is it",
            "set_random_seed": "mx.random.seed(42) repeats what is drawn",
            "plot_model": f"{_SHOWN} a picture",
            "pad_sequences": "nd.pad pads arrays, mx.rnn.BucketSentenceIter sentences",
            "clip_grad_value_": "the optimizer's clip_gradient=1.0 limits each number",
            "parameters_to_vector": "nd.concat(*[p.data().reshape((-1,)) for p in ...], dim=0)",
        },
    ),
    **_under(
        "gluon.data",
        {
            "DistributedSampler": _CLUSTER,
            "train_test_split": (
                "dataset.take(n) are the first samples, dataset.shard(2, 0) half of them"
            ),
        },
    ),
    **_under(
        "gluon.data.vision.transforms",
        {
            "RandomGrayscale": "mx.image.RandomGrayAug(p) is it",
            "GaussianBlur": "cv2.GaussianBlur takes x.asnumpy(), in a function of your own",
            **dict.fromkeys(
                ("RandomChoice", "RandomOrder"), "A function that draws a number chooses: random"
            ),
            "TenCrop": "image.fixed_crop(x, x0, y0, w, h) crops",
            "RandomFlip": "RandomFlipLeftRight() is it; RandomFlipTopBottom(), too",
            "RandomZoom": "RandomResizedCrop(224, scale=(0.5, 1)) is it",
            "Rescaling": "ToTensor() divides by 255",
            **dict.fromkeys(
                ("AutoAugment", "RandAugment", "TrivialAugmentWide", "v2", "MixUp", "CutMix"),
                "torchvision's take and give NumPy's arrays or tensors in a function of your own: "
                "dataset.transform_first(function)",
            ),
        },
    ),
    **_under(
        "gluon.data.vision",
        {
            "ImageFolder": "ImageFolderDataset(folder) is it",
            "DatasetFolder": "ImageFolderDataset(folder) is it",
            "load_data": "MNIST(train=True) is a dataset: dataset[0] is (picture, label)",
            **dict.fromkeys(
                ("ImageNet", "SVHN", "STL10", "CocoDetection", "VOCDetection", "KMNIST", "EMNIST"),
                "torchvision.datasets has it: gluon.data.DataLoader takes every dataset with "
                "__getitem__ and __len__",
            ),
        },
    ),
    **_under(
        "io",
        {
            "read_csv": "mx.io.CSVIter(data_csv=file, data_shape=(3,)) reads; pandas, too",
            "TFRecordDataset": "mx.recordio and mx.io.ImageRecordIter read RecordIO",
        },
    ),
    **_under(
        "numpy.random",
        {
            **dict.fromkeys(
                ("random_sample", "ranf", "sample"), "np.random.uniform(0, 1, size=3) draws"
            ),
            "standard_normal": "np.random.normal(size=(2, 3)) is it",
            "standard_exponential": "np.random.exponential(1, size=3) is it",
            "standard_gamma": "np.random.gamma(2, size=3) is it",
            "random_integers": "np.random.randint(0, 10, size=3) is it",
            "RandomState": "mx.random.seed(42) repeats what is drawn",
            **dict.fromkeys(
                ("dirichlet", "laplace", "geometric", "triangular", "standard_t", "vonmises"),
                _DRAWN,
            ),
        },
    ),
    **_under(
        "numpy.linalg",
        {
            **dict.fromkeys(("matrix_norm", "vector_norm"), "np.linalg.norm(x, axis=...) is it"),
            "svdvals": "np.linalg.svd(x)[1] are they",
        },
    ),
    **_under(
        "random",
        {
            "sample": "mx.np.random.choice(x, 3, replace=False) draws some",
            **dict.fromkeys(
                ("RandomState", "default_rng", "get_state", "set_state"),
                "mx.random.seed(42) repeats what is drawn",
            ),
        },
    ),
    **_under(
        "ndarray",
        {
            f"{kind}Tensor": f"nd.array([1, 2], dtype='{dtype}') is it"
            for kind, dtype in (
                ("Long", "int64"),
                ("Int", "int32"),
                ("Float", "float32"),
                ("Double", "float64"),
                ("Half", "float16"),
                ("Byte", "uint8"),
                ("Bool", "bool"),
            )
        },
    ),
    "jit": "net.hybridize() captures and compiles a net",
    "set_seed": "mx.random.seed(42) repeats what is drawn",
    "losses": "gluon.loss has the losses",
    "metrics": "mx.metric has the metrics",
    "optimizers": "mx.optimizer has the optimizers",
    "callbacks": "mx.callback is for Module.fit, gluon.contrib.estimator for Estimators",
    "models": "gluon.model_zoo.vision has nets",
    "Model": "gluon.nn.HybridSequential() is a model; gluon.contrib.estimator.Estimator has fit",
    "backend": "gluonish computes by PyTorch: x.tensor is the tensor of an array",
    "train": "gluon.contrib.estimator.Estimator(net, loss).fit(data, epochs=10) trains",
    "summary": "net.summary(x) is a table of layers",
    "version": "mx.__version__ is it",
    "nn.functional": "mx.nd has the operators: nd.relu(x), nd.softmax(x)",
    "gluon.functional": "mx.nd has the operators: nd.relu(x), nd.softmax(x)",
    "gluon.layers": "gluon.nn has the layers",
    "gluon.summary": "net.summary(x) is a table of layers",
    "gluon.train": "gluon.contrib.estimator.Estimator(net, loss).fit(data, epochs=10) trains",
    "ndarray.to_categorical": "nd.one_hot(labels, depth) is it",
    "numpy.to_categorical": "npx.one_hot(labels, depth) is it",
}

# The layers that do what functions do, by the functions' names.
LAYERS_OF_FUNCTIONS: Final[dict[str, str]] = {
    **{
        name: f"nn.Activation({name!r})"
        for name in ("relu", "sigmoid", "tanh", "softsign", "softrelu")
    },
    "softplus": "nn.Activation('softrelu')",
    "leaky_relu": "nn.LeakyReLU(0.01)",
    "elu": "nn.ELU()",
    "selu": "nn.SELU()",
    "gelu": "nn.GELU()",
    "flatten": "nn.Flatten()",
    "dropout": "nn.Dropout(0.5)",
    "softmax": "nn.HybridLambda('softmax')",
    "log_softmax": "nn.HybridLambda('log_softmax')",
}
