"""Names that other libraries' modules have, and what to use here."""

from __future__ import annotations

from typing import Final

from gluonish.errors.habits.layers import OPERATORS_OF_LAYERS

_TRAINED: Final = "gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}) trains a net"
_SEED: Final = "mx.random.seed(42) repeats what is drawn"
_CONSTANT_MODE: Final = (
    "Write autograd.pause(), or leave it out: nothing is recorded outside of autograd.record()"
)
_BOTH_NN: Final[dict[str, str]] = {
    "Linear": "PyTorch's Linear(n, m) is Dense(m) here: it finds n itself",
    "LazyLinear": "PyTorch's LazyLinear(m) is Dense(m) here",
    "Module": "PyTorch's Module is Block here, or HybridBlock",
    "ModuleList": "PyTorch's ModuleList is Sequential here; its layers are net[0], net[1], ...",
    "ModuleDict": "Assign Blocks to attributes: setattr(self, name, block)",
    "Model": "Keras's Model is HybridBlock here; gluon.contrib.estimator.Estimator has fit",
    "Layer": "Keras's Layer is HybridBlock here",
    **dict.fromkeys(
        ("Input", "InputLayer"),
        "No layer needs the shape of its input here, the first call finds it: leave it out, and "
        "call the net with an array, as net(nd.zeros((1, 784)))",
    ),
    "Parameter": "PyTorch's Parameter is self.params.get('name', shape=...) here",
    **{
        name: f"PyTorch's {name}() is Activation('{name.lower()}') here"
        for name in ("ReLU", "Sigmoid", "Tanh", "Softsign")
    },
    "Softplus": "PyTorch's Softplus() is Activation('softrelu') here",
    "SiLU": "PyTorch's SiLU() is Swish() here",
    "ReLU6": "nn.HybridLambda(lambda F, x: F.clip(x, 0, 6)) is PyTorch's ReLU6()",
    "Hardtanh": "nn.HybridLambda(lambda F, x: F.clip(x, -1, 1)) is PyTorch's Hardtanh()",
    "Hardsigmoid": "nn.HybridLambda(lambda F, x: F.hard_sigmoid(x)) is what there is",
    "LogSigmoid": "nn.HybridLambda(lambda F, x: -F.Activation(-x, 'softrelu')) computes it",
    "Mish": "nn.HybridLambda(lambda F, x: x * F.tanh(F.Activation(x, 'softrelu'))) computes it",
    "Softmax": "HybridLambda('softmax') is a layer of it; losses contain it already",
    "LogSoftmax": "HybridLambda('log_softmax') is a layer of it; losses contain it already",
    "Identity": "gluon.contrib.nn.Identity() is it",
    "Reshape": (
        "Keras's Reshape((64, 7, 7)) is HybridLambda(lambda F, x: F.reshape(x, (-1, 64, 7, 7))) "
        "here, with the batch as -1"
    ),
    "Unflatten": "nn.HybridLambda(lambda F, x: F.reshape(x, (0, 4, -1))) is a layer that reshapes",
    "Permute": "nn.HybridLambda(lambda F, x: F.transpose(x, (0, 2, 1))) is a layer that transposes",
    "RMSNorm": "Write it with operators in a HybridBlock; LayerNorm is the nearest layer",
    "MultiheadAttention": (
        "nd.contrib.interleaved_matmul_selfatt_qk and its kin compute attention; the gallery's "
        "transformer shows a layer of it"
    ),
    "MultiHeadAttention": (
        "nd.contrib.interleaved_matmul_selfatt_qk and its kin compute attention; the gallery's "
        "transformer shows a layer of it"
    ),
    "Concatenate": "nd.concat(x, y, dim=1) joins; gluon.contrib.nn.HybridConcurrent joins branches",
    "Add": "x + y adds",
    "BatchNormalization": "Keras's BatchNormalization() is BatchNorm() here",
    "LayerNormalization": "Keras's LayerNormalization() is LayerNorm() here",
    **{
        f"BatchNorm{n}d": f"PyTorch's BatchNorm{n}d(n) is BatchNorm() here: it finds n itself"
        for n in (1, 2, 3)
    },
    **{
        f"InstanceNorm{n}d": f"PyTorch's InstanceNorm{n}d(n) is InstanceNorm() here"
        for n in (1, 2, 3)
    },
    **{
        f"Conv{n}d": f"PyTorch's Conv{n}d(n, m, size) is Conv{n}D(m, size) here: it finds n itself"
        for n in (1, 2, 3)
    },
    **{
        f"ConvTranspose{n}d": (
            f"PyTorch's ConvTranspose{n}d(n, m, size) is Conv{n}DTranspose(m, size) here"
        )
        for n in (1, 2, 3)
    },
    **{
        f"{kind}Pool{n}d": f"PyTorch's {kind}Pool{n}d(size) is {kind}Pool{n}D(size) here"
        for n in (1, 2, 3)
        for kind in ("Max", "Avg")
    },
    **{
        f"{theirs}Pooling{n}D": f"Keras's {theirs}Pooling{n}D is {ours}{n}D here"
        for n in (1, 2, 3)
        for theirs, ours in (
            ("Max", "MaxPool"),
            ("Average", "AvgPool"),
            ("GlobalMax", "GlobalMaxPool"),
            ("GlobalAverage", "GlobalAvgPool"),
        )
    },
    **{
        f"Adaptive{kind}Pool{n}d": (
            f"PyTorch's Adaptive{kind}Pool{n}d(1) is Global{kind}Pool{n}D() here; "
            f"nd.contrib.AdaptiveAvgPooling2D(x, size) averages to other sizes"
        )
        for n in (1, 2, 3)
        for kind in ("Max", "Avg")
    },
    **{
        f"Dropout{n}d": f"Dropout(0.5, axes={tuple(range(2, n + 2))}) drops whole channels"
        for n in (1, 2, 3)
    },
    **{
        f"{name}d": f"PyTorch's {name}d(n) is HybridLambda(lambda F, x: F.pad(x, ...)) here"
        for name in ("ZeroPad2", "ConstantPad2", "ReplicationPad2")
    },
    "ZeroPadding2D": "nn.HybridLambda(lambda F, x: F.pad(x, mode='constant', pad_width=...)) pads",
    "ReflectionPad2d": "PyTorch's ReflectionPad2d(n) is ReflectionPad2D(n) here",
    "Upsample": "nn.HybridLambda(lambda F, x: F.UpSampling(x, scale=2, sample_type='nearest'))",
    "UpSampling2D": "nn.HybridLambda(lambda F, x: F.UpSampling(x, scale=2, sample_type='nearest'))",
    "PixelShuffle": "gluon.contrib.nn.PixelShuffle2D(factor) is it",
    "init": "mx.init has the initializers: net.initialize(mx.init.Xavier())",
    "functional": "Functions are operators: nd.relu, nd.softmax, nd.Dropout, ...",
    "utils": "gluon.utils.clip_global_norm(arrays, max_norm) clips gradients",
    "DataParallel": "net.initialize(ctx=[mx.gpu(0), mx.gpu(1)]) puts a net on several devices",
    "losses": "Losses are in gluon.loss",
    **dict.fromkeys(
        ("LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"),
        "Recurrent layers are in gluon.rnn: gluon.rnn.LSTM(16, layout='NTC') takes (batch, time, "
        "channels) and returns the outputs of all steps",
    ),
}
_LOSSES: Final[dict[str, str]] = {
    "CrossEntropyLoss": "PyTorch's CrossEntropyLoss is gluon.loss.SoftmaxCrossEntropyLoss here",
    "CategoricalCrossentropy": (
        "gluon.loss.SoftmaxCELoss() takes class numbers, with sparse_label=False one-hot labels"
    ),
    "SparseCategoricalCrossentropy": (
        "gluon.loss.SoftmaxCrossEntropyLoss() takes scores and class numbers, without from_logits"
    ),
    "BinaryCrossentropy": "gluon.loss.SigmoidBinaryCrossEntropyLoss() takes scores and 0 or 1",
    "MSELoss": "PyTorch's MSELoss is gluon.loss.L2Loss here, which halves the squares",
    "MeanSquaredError": "Keras's MeanSquaredError is gluon.loss.L2Loss here, which halves",
    "MeanAbsoluteError": "Keras's MeanAbsoluteError is gluon.loss.L1Loss here",
    "L1Loss": "Losses are in gluon.loss: gluon.loss.L1Loss",
    "HuberLoss": "Losses are in gluon.loss: gluon.loss.HuberLoss",
    "Huber": "Keras's Huber(delta) is gluon.loss.HuberLoss(rho) here",
    "SmoothL1Loss": "PyTorch's SmoothL1Loss(beta) is gluon.loss.HuberLoss(rho) here",
    "BCELoss": "PyTorch's BCELoss is gluon.loss.SigmoidBCELoss(from_sigmoid=True) here",
    "BCEWithLogitsLoss": "PyTorch's BCEWithLogitsLoss is gluon.loss.SigmoidBCELoss here",
    "NLLLoss": (
        "PyTorch's NLLLoss is gluon.loss.SoftmaxCrossEntropyLoss(from_logits=True) here, "
        "of log_softmax"
    ),
    "KLDivLoss": "Losses are in gluon.loss: gluon.loss.KLDivLoss",
    "CTCLoss": "Losses are in gluon.loss: gluon.loss.CTCLoss",
    "PoissonNLLLoss": "Losses are in gluon.loss: gluon.loss.PoissonNLLLoss",
    "CosineEmbeddingLoss": "Losses are in gluon.loss: gluon.loss.CosineEmbeddingLoss",
    "TripletMarginLoss": "PyTorch's TripletMarginLoss is gluon.loss.TripletLoss here",
    "HingeEmbeddingLoss": "gluon.loss.HingeLoss is the nearest",
    "SoftMarginLoss": "PyTorch's SoftMarginLoss is gluon.loss.LogisticLoss here",
}
_FUNCTIONS: Final[dict[str, str]] = {
    "cat": "PyTorch's cat is nd.concat here",
    "tensor": "PyTorch's tensor is nd.array here; nd.from_torch takes a tensor",
    "as_tensor": "PyTorch's as_tensor is nd.array here; nd.from_torch takes a tensor",
    "Tensor": "PyTorch's Tensor is nd.NDArray here, nd.array(...) makes one",
    "matmul": "PyTorch's matmul is nd.dot of matrices, nd.batch_dot of stacks",
    "mm": "PyTorch's mm is nd.dot here",
    "bmm": "PyTorch's bmm is nd.batch_dot here",
    "rand": "PyTorch's rand(2, 3) is nd.random.uniform(shape=(2, 3)) here",
    "randn": "PyTorch's randn(2, 3) is nd.random.randn(2, 3) here",
    "randint": "PyTorch's randint is nd.random.randint(0, 10, shape=(2, 3)) here",
    "randperm": "nd.shuffle(nd.arange(n)) is PyTorch's randperm(n)",
    "normal": "nd.random.normal(0, 1, shape=(2, 3)) draws",
    "clamp": "PyTorch's clamp is nd.clip here",
    "unsqueeze": "PyTorch's unsqueeze is nd.expand_dims here",
    "permute": "PyTorch's permute is nd.transpose(x, axes) here",
    "view": "PyTorch's view is nd.reshape here",
    "pow": "x ** 2 is a power",
    "square_root": "nd.sqrt(x) is it",
    "std": "mx.np.std(x.as_np_ndarray(), axis=0) is it",
    "var": "mx.np.var(x.as_np_ndarray(), axis=0) is it",
    "add": "x + y adds",
    "mul": "x * y multiplies",
    "sub": "x - y subtracts",
    "div": "x / y divides",
    "masked_select": "nd.contrib.boolean_mask(x, mask) is it",
    "gather": "nd.take(x, indices) chooses rows, nd.pick(x, indices) an element of each row",
    "from_torch_tensor": "nd.from_torch takes a tensor",
    "as_array": "nd.array makes arrays",
    "asarray": "nd.array makes arrays, nd.from_numpy shares memory",
    "einsum": "mx.np.einsum is it",
    "no_grad": _CONSTANT_MODE,
    "gelu": "nd.LeakyReLU(x, act_type='gelu') is it",
    "leaky_relu": "nd.LeakyReLU(x, slope=0.01) is it",
    "elu": "nd.LeakyReLU(x, act_type='elu', slope=1) is it",
    "cross_entropy": "nd.softmax_cross_entropy, or gluon.loss.SoftmaxCrossEntropyLoss(), is it",
    "mse_loss": "gluon.loss.L2Loss() is it, and halves the squares",
    "linear": "nd.FullyConnected(x, weight, bias, num_hidden=n) is it",
    "conv2d": "nd.Convolution(x, weight, bias, kernel=(3, 3), num_filter=n) is it",
    "max_pool2d": "nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type='max') is it",
    "dropout": "nd.Dropout(x, p=0.5) is it",
    "stack_": "nd.stack(x, y, axis=0) stacks",
    "vstack": "nd.concat(x, y, dim=0) joins rows",
    "hstack": "nd.concat(x, y, dim=1) joins columns",
    "isnan": "nd.contrib.isnan is it",
    "isinf": "nd.contrib.isinf is it",
    "isfinite": "nd.contrib.isfinite is it",
    "nonzero": "mx.np.nonzero is it",
    "triu": "mx.np.triu is it",
    "tril": "mx.np.tril is it",
    "numel": "x.size is the number of elements",
    "float32": "Dtypes are names: dtype='float32'",
    "float64": "Dtypes are names: dtype='float64'",
    "float16": "Dtypes are names: dtype='float16'",
    "int32": "Dtypes are names: dtype='int32'",
    "int64": "Dtypes are names: dtype='int64'",
}
# TensorFlow's, in nd and np.
_REDUCED: Final[dict[str, str]] = {
    **{
        f"reduce_{name}": f"TensorFlow's reduce_{name} is {name} here: {name}(x, axis=1)"
        for name in ("mean", "sum", "max", "min", "prod")
    },
    "reduce_std": "mx.np.std is it",
    "reduce_all": "(x > 0).min() tells whether it holds for all",
    "reduce_any": "(x > 0).max() tells whether it holds for one",
    "Variable": "x = nd.array(...), then x.attach_grad(), is TensorFlow's Variable",
    "clip_by_value": "TensorFlow's clip_by_value is clip here: clip(x, 0, 1)",
    "clip_by_global_norm": "gluon.utils.clip_global_norm(arrays, max_norm) clips in place",
    "convert_to_tensor": "nd.array(...) and np.array(...) make arrays",
    "squared_difference": "(x - y) ** 2 is it",
    **dict.fromkeys(("to_float", "to_int32"), "x.astype('float32') and x.astype('int32') cast"),
    "GradientTape": "autograd.record() is the block; loss.backward() below it, then x.grad",
    "DataFrame": "pandas.DataFrame(x.asnumpy()) makes a table of an array",
    "read_csv": "nd.array(pandas.read_csv(file).values) reads a table; mx.io.CSVIter in batches",
    "get_dummies": "nd.one_hot(codes, depth) of numbers; pandas.get_dummies of words before",
}
_OPTIMIZERS: Final[dict[str, str]] = {
    "RMSprop": "PyTorch's RMSprop is RMSProp here, 'rmsprop' for a Trainer",
    "Adagrad": "PyTorch's Adagrad is AdaGrad here, 'adagrad' for a Trainer",
    "Adadelta": "PyTorch's Adadelta is AdaDelta here, 'adadelta' for a Trainer",
    "NAdam": "PyTorch's NAdam is Nadam here, 'nadam' for a Trainer",
    "lr_scheduler": "Schedules are in mx.lr_scheduler; a Trainer takes {'lr_scheduler': schedule}",
    "RAdam": "Adam is the nearest; torch.optim.RAdam trains net.to_torch()",
    "LBFGS": "torch.optim.LBFGS trains net.to_torch()",
    "Rprop": "torch.optim.Rprop trains net.to_torch()",
    "SparseAdam": "Adam(lazy_update=True) updates the rows of sparse gradients",
    "Lion": "Signum is the nearest, SGD of signs",
}
_SCHEDULES: Final[dict[str, str]] = {
    "StepLR": "FactorScheduler(step=n, factor=0.1, base_lr=0.1) is it; it counts updates",
    "MultiStepLR": "MultiFactorScheduler([n, m], 0.1, base_lr=0.1) is it; it counts updates",
    "CosineAnnealingLR": "CosineScheduler(max_update=n, base_lr=0.1) is it; it counts updates",
    "CosineDecay": "CosineScheduler(max_update=n, base_lr=0.1) is it; it counts updates",
    "ExponentialLR": "FactorScheduler(step=1, factor=0.99, base_lr=0.1) is it; it counts updates",
    "ExponentialDecay": "FactorScheduler(step=n, factor=0.9, base_lr=0.1) is it; it counts updates",
    "PolynomialLR": "PolyScheduler(max_update=n, base_lr=0.1) is it; it counts updates",
    "LinearLR": "PolyScheduler(max_update=n, pwr=1, base_lr=0.1) is it; it counts updates",
    "LambdaLR": "Any function of the number of updates is a schedule",
    "OneCycleLR": "CosineScheduler(max_update=n, warmup_steps=m) is the nearest",
    "ReduceLROnPlateau": "Call trainer.set_learning_rate where a loss no longer falls",
}
_METRICS: Final[dict[str, str]] = {
    "F1Score": "F1() is it",
    "BinaryAccuracy": "Accuracy() is it, of classes or of probabilities",
    "CategoricalAccuracy": "Accuracy() takes class numbers and scores",
    "SparseCategoricalAccuracy": "Accuracy() takes class numbers and scores",
    "TopKCategoricalAccuracy": "TopKAccuracy(top_k=5) is it",
    "Mean": "Loss() averages losses",
    "MeanSquaredError": "MSE() is it",
    "MeanAbsoluteError": "MAE() is it",
    "AUC": "sklearn.metrics.roc_auc_score(labels.asnumpy(), scores.asnumpy()) computes it",
    "Precision": "F1() counts it: metric.metrics.precision; or sklearn.metrics takes x.asnumpy()",
    "Recall": "F1() counts it: metric.metrics.recall; or sklearn.metrics takes x.asnumpy()",
}
_INITIALIZERS: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("kaiming_normal_", "kaiming_uniform_", "kaiming_normal", "he_normal", "HeNormal"),
        "MSRAPrelu() is He's: net.initialize(mx.init.MSRAPrelu())",
    ),
    **dict.fromkeys(
        ("xavier_uniform_", "xavier_normal_", "GlorotUniform", "glorot_uniform", "XavierUniform"),
        "Xavier() is it: net.initialize(mx.init.Xavier(), force_reinit=True)",
    ),
    "trunc_normal_": "Normal(sigma) is the nearest",
    "eye_": "Orthogonal() is the nearest",
    "dirac_": "Orthogonal() is the nearest",
    "normal_": "net.initialize(mx.init.Normal(0.01)) is it",
    "uniform_": "net.initialize(mx.init.Uniform(0.1)) is it",
    "zeros_": "net.initialize(mx.init.Zero()) is it",
    "ones_": "net.initialize(mx.init.One()) is it",
    "constant_": "net.initialize(mx.init.Constant(3)) is it",
    "orthogonal_": "net.initialize(mx.init.Orthogonal()) is it",
    "RandomNormal": "Keras's RandomNormal(0, s) is Normal(s) here",
    "RandomUniform": "Keras's RandomUniform(-s, s) is Uniform(s) here",
    "TruncatedNormal": "Normal(sigma) is the nearest",
    "Zeros": "Zero() is it",
    "Ones": "One() is it",
}
# What is looked for in any module.
ANYWHERE: Final[dict[str, str]] = dict.fromkeys(
    (
        "cuda", "gpu_count", "num_gpu", "count_gpus", "device_count", "list_gpus", "list_devices",
        "list_physical_devices", "is_gpu_available", "is_cuda_available", "get_device",
        "current_device", "set_device", "get_default_device", "set_default_device",
    ),
    "mx.num_gpus() counts GPUs; ctx = mx.gpu() if mx.num_gpus() else mx.cpu()",
)  # fmt: skip
_ROOT: Final[dict[str, str]] = {
    "tensor": "nd.array([1, 2]) makes an array, np.array([1, 2]) one by NumPy's rules",
    "array": "nd.array([1, 2]) makes an array, np.array([1, 2]) one by NumPy's rules",
    "zeros": "nd.zeros((2, 3)) makes an array",
    "ones": "nd.ones((2, 3)) makes an array",
    "NDArray": "nd.NDArray is the class, nd.array(...) makes one",
    "device": "mx.cpu() and mx.gpu(0) are devices; mx.Context('gpu', 0), too",
    "manual_seed": _SEED,
    "seed": _SEED,
    "save": "nd.save(file, arrays) and net.save_parameters(file) write files",
    "load": "nd.load(file) and net.load_parameters(file) read files",
    "no_grad": _CONSTANT_MODE,
    "optim": _TRAINED,
    "set_np": "mx.npx.set_np() has gluon make arrays by NumPy's rules",
    "reset_np": "mx.npx.reset_np() has gluon make MXNet's first arrays again",
    "data": "gluon.data has datasets and DataLoader",
    "loss": "gluon.loss has the losses",
    "layers": "gluon.nn has the layers",
    "keras": "gluon.contrib.estimator.Estimator has fit and evaluate",
    "Sequential": "gluon.nn.Sequential is it",
    "Trainer": "gluon.Trainer is it",
    "Block": "gluon.Block is it",
    "FeedForward": "mx.model.FeedForward is it",
}
_DATA: Final[dict[str, str]] = {
    "TensorDataset": "PyTorch's TensorDataset is ArrayDataset here",
    "ConcatDataset": "gluon.data.SimpleDataset([*first, *second]) joins datasets",
    "Subset": "dataset.filter, dataset.take and gluon.data.FilterSampler choose samples",
    "random_split": "order = random.sample(range(len(ds)), len(ds)) mixes numbers, and "
    "gluon.data.SimpleDataset([ds[i] for i in order[:80]]) is a part of 80",
    "WeightedRandomSampler": "Subclass gluon.data.Sampler: __iter__ yields positions",
    "IterableDataset": "A DataLoader asks a dataset for samples by number; any iterator of batches "
    "trains a net, too",
    "default_collate": "gluon.data.dataloader.default_batchify_fn is it",
}
_TRANSFORMS: Final[dict[str, str]] = {
    "RandomHorizontalFlip": "PyTorch's RandomHorizontalFlip() is RandomFlipLeftRight() here",
    "RandomVerticalFlip": "PyTorch's RandomVerticalFlip() is RandomFlipTopBottom() here",
    "RandomCrop": "image.random_crop(x, size) crops; RandomResizedCrop(size) crops and resizes",
    "ColorJitter": "PyTorch's ColorJitter is RandomColorJitter here",
    "Lambda": "gluon.nn.Lambda(function) is a transform, any function of dataset.transform, too",
    "ConvertImageDtype": "Cast('float32') is it",
    "Grayscale": "image.CreateAugmenter(..., rand_gray=1) makes grey pictures",
    "ToPILImage": "PIL.Image.fromarray(x.asnumpy()) makes one",
    "PILToTensor": "ToTensor() takes arrays (height, width, channels)",
    "RandomAffine": "RandomRotation, RandomResizedCrop and RandomColorJitter change pictures",
    "RandomErasing": "Write a function for dataset.transform_first",
    "Pad": "nd.pad(x, mode='constant', pad_width=...) pads",
    "FiveCrop": "image.fixed_crop(x, x0, y0, w, h) crops",
    "Identity": "Leave it out",
}
_AUTOGRAD: Final[dict[str, str]] = {
    "no_grad": _CONSTANT_MODE,
    "inference_mode": _CONSTANT_MODE,
    "enable_grad": "autograd.record() records",
    "set_grad_enabled": "autograd.record() records, autograd.pause() stops it",
    "GradientTape": "with autograd.record(): is it; loss.backward() then computes x.grad",
    "Variable": "x.attach_grad() says that the gradient of an array is wanted",
    "recording": "autograd.record() records, autograd.is_recording() tells",
}
_ZOO: Final[dict[str, str]] = {
    **{
        f"resnet{n}": f"resnet{n}_v1 is it; resnet{n}_v2, its second version"
        for n in (18, 34, 50, 101, 152)
    },
    "mobilenet": "mobilenet1_0 is it",
    "mobilenet_v2": "mobilenet_v2_1_0 is it",
    "densenet": "densenet121 is one",
    "inception": "inception_v3 is it",
    "efficientnet_b0": "It is not in the zoo; torchvision has it, and gluonish takes its layers",
}


def _under(path: str, names: dict[str, str]) -> dict[str, str]:
    return {f"{path}.{name}": hint for name, hint in names.items()}


# Names that a module lacks, by path, and what to use.
NAMES: Final[dict[str, str]] = {
    "contrib.quant": "contrib.quantization is it",
    "onnx.onnx2mx": "Load ONNX models by onnx.import_model",
    "io.DataLoader": "gluon.data.DataLoader is it",
    **dict.fromkeys(
        ("profiler.stop", "profiler.disable", "profiler.end"),
        "profiler.set_state('stop') ends it, print(profiler.dumps()) shows the table",
    ),
    **dict.fromkeys(
        ("profiler.start", "profiler.enable", "profiler.profile", "profiler.run"),
        "profiler.set_config(profile_all=True, aggregate_stats=True), then "
        "profiler.set_state('run'); gluonish profile script.py does all of it",
    ),
    **dict.fromkeys(
        ("profiler.summary", "profiler.print_stats", "profiler.key_averages", "profiler.report"),
        "print(profiler.dumps()) shows the table, profiler.dump() writes the picture's file",
    ),
    "numpy.save": "npx.save('x.npy', x) writes, npx.load reads; nd.save and nd.load, too",
    "numpy.load": "npx.load('x.npy') reads, npx.save writes; nd.load and nd.save, too",
    "numpy.loadtxt": "np.array(numpy.loadtxt(file)) reads text by NumPy",
    "numpy.savetxt": "numpy.savetxt(file, x.asnumpy()) writes text by NumPy",
    "ndarray.imdecode": "mx.image.imdecode(buf) decodes pictures",
    "kvstore.KVStoreServer": "There are no servers: workers keep what is stored; see kv.create",
    "onnx.get_operator_support": "onnx.export_model names all operators that it can't write",
    "profiler.set_kvstore_handle": "There are no servers to profile; profiler.set_config is enough",
    "libinfo.find_conf_path": "It is of MXNet's C library; libinfo.find_lib_path finds PyTorch's",
    "numpy.vectorize": "Operators take whole arrays: write it with np.where and its kin",
    **dict.fromkeys(
        ("numpy.frompyfunc", "numpy.apply_along_axis"),
        "Operators take whole arrays and an axis; nd.contrib.foreach goes through rows",
    ),
    "numpy.tensor": "PyTorch's tensor is np.array here; nd.from_torch takes a tensor",
    "numpy.cat": "PyTorch's cat is np.concatenate here",
    "numpy.concat": "NumPy's concat is np.concatenate here",
    "numpy.random.seed": _SEED,
    "numpy.random.default_rng": (
        "mx.random.seed(42) repeats what is drawn, np.random.uniform(0, 1, size=3) draws"
    ),
    "numpy.astype": "x.astype('float32') casts",
    "numpy.float": "Write dtype='float32', or Python's float",
    "numpy.int": "Write dtype='int64', or Python's int",
    "numpy.bool": "np.bool_ is the dtype",
    "numpy.newaxis_": "np.newaxis is it",
    "random.manual_seed": _SEED,
    "random.set_seed": _SEED,
    "random.rand": "mx.random.uniform(shape=(2, 3)) draws",
    "random.choice": "mx.np.random.choice draws",
    "ndarray.linalg.inv": "nd.linalg.inverse(x) is it",
    "ndarray.random.rand": "nd.random.uniform(shape=(2, 3)) draws",
    "ndarray.random.choice": "mx.np.random.choice(x, 10) draws 10 elements of a vector x",
    "ndarray.random.permutation": "nd.random.shuffle(nd.arange(n)) is it, for n numbers",
    "ndarray.random.random": "nd.random.uniform(shape=(2, 3)) draws",
    "ndarray.random.seed": _SEED,
    "gluon.Module": "PyTorch's Module is gluon.Block here, or gluon.HybridBlock",
    "gluon.optim": _TRAINED,
    "gluon.Dataset": "gluon.data.Dataset is it",
    "gluon.DataLoader": "gluon.data.DataLoader is it",
    "gluon.Dense": "gluon.nn.Dense is it",
    "gluon.utils.clip_grad_norm_": "gluon.utils.clip_global_norm(arrays, max_norm) is it",
    "gluon.utils.clip_grad_norm": "gluon.utils.clip_global_norm(arrays, max_norm) is it",
    "gluon.utils.data": "gluon.data has datasets and DataLoader",
    "model.Sequential": "gluon.nn.Sequential is it",
    "model.Model": "gluon.contrib.estimator.Estimator has fit; mx.mod.Module, too",
    "callback.EarlyStopping": "gluon.contrib.estimator.EarlyStoppingHandler is it",
    "callback.ModelCheckpoint": "gluon.contrib.estimator.CheckpointHandler is it",
    **_ROOT,
    **_under("nn", _BOTH_NN | _LOSSES),
    **_under("gluon.rnn", {"nn": "gluon.nn has the layers"}),
    **_under("gluon.loss", _LOSSES),
    **OPERATORS_OF_LAYERS,
    **_under("ndarray", _REDUCED | _FUNCTIONS),
    **_under("numpy", _REDUCED),
    **_under("optimizer", _OPTIMIZERS),
    **_under("lr_scheduler", _SCHEDULES),
    **_under("metric", _METRICS),
    **_under("init", _INITIALIZERS),
    **_under("gluon.data", _DATA),
    **_under("gluon.data.vision.transforms", _TRANSFORMS),
    **_under("autograd", _AUTOGRAD),
    **_under("gluon.model_zoo.vision", _ZOO),
}
