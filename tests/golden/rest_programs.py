"""Rows that call public names no other program calls, for the real MXNet and gluonish alike."""

from __future__ import annotations

import io
import logging
import os
import pathlib
import tempfile
from types import SimpleNamespace

import numpy as onp
from rest_objects import *  # noqa: F403 - programs that rows name

# Lines of rest_rows.txt are expressions; `_` in them is a name of the line's list, if it has one.
LISTS = {
    "UNARY": "abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1"
    " fix floor log log10 log1p log2 negative radians relu rint round rsqrt sigmoid sign sin sinh"
    " sqrt square tan tanh trunc zeros_like gamma gammaln",
    "PAIRS": "broadcast_add broadcast_div broadcast_minus broadcast_mul broadcast_plus"
    " broadcast_sub elemwise_div",
    "REGRESSIONS": "LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput",
    # Methods of NDArray that arrays of np inherit, and refuse.
    "REFUSED": "abs arccos arccosh arcsin arcsinh arctan arctanh argmax_channel broadcast_axes"
    " broadcast_like cbrt ceil cos cosh degrees depth_to_space diag exp expm1 fix flip floor log"
    " log10 log1p log2 log_softmax nanprod nansum norm one_hot ones_like pad pick radians rcbrt"
    " reciprocal relu reshape_like rint rsqrt shape_array sigmoid sign sin sinh size_array slice"
    " slice_like softmax softmin split split_v2 sqrt square tan tanh tile topk trunc zeros_like",
    "SYMBOLS": "as_in_context asscalar asnumpy copy detach wait_to_read",
    "SPARSE": "depth_to_space(2) pad() space_to_depth(2)",
    "LIKE": "exponential_like gamma_like generalized_negative_binomial_like negative_binomial_like"
    " normal_like poisson_like uniform_like",
    "BITS": "bitwise_and bitwise_or bitwise_xor",
    "ANGLES": "deg2rad rad2deg",
    "EVENTS": "TrainBegin TrainEnd EpochBegin EpochEnd BatchBegin BatchEnd",
    "SCHEDULES": "LRScheduler() FactorScheduler(9) MultiFactorScheduler([5,9]) PolyScheduler(9)"
    " CosineScheduler(9)",
    "INITS": "Zero One Uniform Normal Xavier",
    "TEXTS": "capitalize() casefold() expandtabs() isalnum() isalpha() isascii() isdecimal()"
    " islower() isnumeric() isprintable() isspace() istitle() ljust(9) lstrip('w') rfind('e')"
    " rindex('e') rjust(9) rsplit('i') swapcase() upper() zfill(9) format_map({})",
    "MAKERS": "AdaDelta AdaGrad Adam Adamax DCASGD FTML Ftrl LAMB LARS LBSGD NAG Nadam Optimizer"
    " RMSProp SGD SGLD Signum Test ccSGD",
    "ZOO": "densenet161 densenet169 densenet201 mobilenet0_5 mobilenet0_75 mobilenet1_0"
    " mobilenet_v2_0_5 mobilenet_v2_0_75 mobilenet_v2_0_25 mobilenet_v2_1_0 resnet101_v1"
    " resnet101_v2 resnet152_v1 resnet152_v2 resnet34_v1 resnet34_v2 vgg13 vgg13_bn vgg16"
    " vgg16_bn vgg19 vgg19_bn",
    "LISTINGS": "list_fp32_ops list_lp16_ops list_lp16_fp32_ops list_widest_type_cast"
    " list_conditional_fp32_ops list_loss_output_functions",
    "JITTERS": "BrightnessJitterAug(0) ContrastJitterAug(0) SaturationJitterAug(0)"
    " HorizontalFlipAug(1) CenterCropAug((3,2)) RandomCropAug((5,4))"
    " ColorNormalizeAug([1,2,3],[2,3,4]) RandomSizedCropAug((5,4),1,(1.25,1.25))"
    " HueJitterAug(0) CastAug() ResizeAug(8) ForceResizeAug((5,4)) RandomGrayAug(0)"
    " LightingAug(0,[1,2,3],[[1,0,0],[0,1,0],[0,0,1]])",
}
ROWS = pathlib.Path(__file__).with_name("rest_rows.txt")


class Names(dict):
    """What rows see."""

    def __init__(self, mx):
        found = {"mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx, "sym": mx.sym, "onp": onp}
        found.update(io=io, os=os, values=values, raised=raised)
        found.update({name: mx.sym.var(name) for name in "abcde"})
        for name, program in globals().items():
            if name.startswith("the_"):
                found[name[4:]] = self.bound(mx, program)
        super().__init__(found)

    @staticmethod
    def bound(mx, program):
        return lambda *args, **kwargs: program(mx, *args, **kwargs)


def values(shape):
    return (onp.arange(onp.prod(shape), dtype="float32") * 0.37 % 1).reshape(shape)


def raised(call):
    """Return what a call returns, or the names of its error's classes."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever MXNet raises
        return {"raises": [each.__name__ for each in type(error).__mro__]}


def the_run(mx, symbol, differentiate=True, **arrays):
    """Return outputs and gradients of a graph."""
    given = {name: mx.nd.array(value) for name, value in arrays.items()}
    grads = {name: mx.nd.zeros(array.shape) for name, array in given.items()}
    aux = {name: given.pop(name) for name in symbol.list_auxiliary_states()}
    kinds = {"args_grad": grads} if differentiate else {"grad_req": "null"}
    executor = symbol.bind(mx.cpu(), given, aux_states=aux, **kinds)
    found = list(executor.forward(is_train=True))
    if differentiate:
        executor.backward([mx.nd.ones(out.shape) for out in found])
        found += [grads[name] for name in sorted(given)]
    return found


def the_graph(mx, symbol):
    """Return what a graph says of itself."""
    nodes = symbol.get_internals().list_outputs()
    return [symbol.list_arguments(), symbol.list_auxiliary_states(), symbol.list_outputs(), nodes]


def the_seeded(mx, call):
    mx.random.seed(7)
    onp.random.seed(7)
    return call()


def the_shuffled(mx, np):
    array = np.arange(5)
    np.random.shuffle(array)
    return array.asnumpy().tolist()


def the_snake(mx, name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:]


def the_python_op(mx, op):
    given, out, grad = [mx.nd.array([1, 2])], [mx.nd.zeros(2)], [mx.nd.ones(2)]
    forward = raised(lambda: op.forward(given, out))
    backward = raised(lambda: op.backward(out, given, out, grad))
    return [forward, backward, out[0], grad[0], op.list_arguments(), op.list_outputs()]


def the_parameters(mx):
    params = mx.gluon.ParameterDict("net_")
    params.get("weight", shape=(2,))
    params.initialize(ctx=mx.cpu(0))
    return params


def the_picture(mx, build):
    image = mx.nd.array(onp.arange(24).reshape((2, 4, 3)) * 10)
    return build(mx.gluon.data.vision.transforms)(image)


def _net(mx, prefix="net_"):
    net = mx.gluon.nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(2, in_units=3), mx.gluon.nn.Activation("relu"))
    net.initialize(mx.init.Constant(0.5))
    return net


def the_hooked(mx):
    """Return what hooks of a Block and of its operators saw."""
    net, seen = _net(mx), []
    first = net.register_forward_pre_hook(lambda block, args: seen.append(len(args)))
    net(mx.nd.ones((1, 3)))
    first.detach()
    net(mx.nd.ones((1, 3)))
    net.hybridize()
    net.register_op_hook(lambda *told: seen.append(str(told[1])), monitor_all=False)
    net(mx.nd.ones((1, 3)))
    return len(seen) > 1 and seen[0]


def the_saved(mx, save, load, name="a.params"):
    net, other = _net(mx), _net(mx)
    net[0].weight.set_data(mx.nd.array(values((2, 3))))
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, name))
        getattr(net, save)(path)
        getattr(other, load)(path)
    return other(mx.nd.ones((1, 3)))


def the_typed(mx):
    net = _net(mx)
    net.infer_type(mx.nd.ones((1, 3)))
    return [str(onp.dtype(param.dtype)) for param in net.collect_params().values()]


def the_symbol_block(mx):
    a = mx.sym.var("a")
    layer = mx.sym.FullyConnected(a, num_hidden=2, name="f")
    block = mx.gluon.SymbolBlock(layer, a)
    block.initialize(mx.init.Constant(0.5))
    first = block(mx.nd.ones((1, 3)))
    block.cast("float16")
    block.infer_type(mx.nd.ones((1, 3), dtype="float16"))
    return [
        first,
        raised(lambda: block.hybrid_forward(mx.nd, first)),
        block.params["f_bias"].data(),
    ]


def the_optimized(mx):
    net = _net(mx)
    net.hybridize()
    return net.optimize_for(mx.nd.ones((1, 3)), backend="MKLDNN")


def the_verbose(mx, init):
    seen = []
    same = init.set_verbosity(True, lambda array: seen.append(array.shape) or "told")
    array = mx.nd.zeros((2, 2))
    init(mx.init.InitDesc("weight", {"__init__": ""}), array)
    return [same is init, len(seen) > 0, array.shape]


def the_mixed(mx):
    weight, bias = mx.nd.zeros(2), mx.nd.zeros(2)
    init = mx.init.Mixed(["bias", ".*"], [mx.init.Constant(3), mx.init.One()])
    init("f_bias", bias)
    init("f_weight", weight)
    return [weight, bias]


def the_registered(mx):
    @mx.init.alias("gluonish_seven", "gluonish_vii")
    @mx.init.register
    class GluonishSevens(mx.init.Initializer):
        def _init_weight(self, _, arr):
            arr[:] = 7

    array = mx.nd.zeros(2)
    mx.init.create("gluonish_vii")("weight", array)
    return array


def the_warm(mx, schedule, count):
    schedule.warmup_steps, schedule.warmup_begin_lr, schedule.warmup_final_lr = 4, 0.1, 0.5
    return schedule.get_warmup_lr(count)


def the_in_bulk(mx):
    with mx.engine.bulk(3):
        return mx.nd.ones(2) + 1


def the_old_autograd(mx):
    """Return what the autograd of MXNet's first versions gives."""
    old = mx.contrib.autograd
    x, grad = mx.nd.array([2, 3]), mx.nd.zeros(2)
    old.mark_variables([x], [grad])
    before = old.set_is_training(True)
    y = x * x
    again = old.set_is_training(before)
    old.backward([y])
    found = [before, again, grad.copy()]
    with old.train_section():
        z = x * 3
        with old.test_section():
            inner = mx.autograd.is_training()
    old.compute_gradient([z])
    with old.TrainingStateScope(True):
        found.append(mx.autograd.is_training())
    both = old.grad_and_loss(lambda a: a * a * 2)(mx.nd.array([2, 3]))
    alone = old.grad(lambda a, b: a * b, 0)(mx.nd.array([2, 3]), mx.nd.array([5, 7]))
    return [*found, inner, grad, both[0], both[1], alone]


def the_profiled(mx):
    """Return names and numbers of what a profile is told by hand."""
    p = mx.profiler
    with tempfile.TemporaryDirectory() as folder:
        p.set_config(filename=str(pathlib.Path(folder, "p.json")), aggregate_stats=True)
        domain = p.Domain("d")
        counter = domain.new_counter("c", 5)
        counter.increment(2)
        counter.decrement(1)
        counter.set_value(9)
        counter += 1
        counter -= 2
        marks = [domain.new_task("t"), domain.new_frame("f"), p.Event("e")]
        for mark in marks:
            mark.start()
            mark.stop()
        domain.new_marker("m").mark("process")
        p.pause()
        p.resume()
        p.profiler_set_config("all", str(pathlib.Path(folder, "q.json")))
        p.profiler_set_state("run")
        p.profiler_set_state("stop")
        p.dump_profile()
        return [str(each) for each in (domain, counter, *marks)]


def the_optimizers(mx):
    @mx.optimizer.register
    class GluonishDown(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return mx.nd.zeros(weight.shape)

        def update(self, index, weight, grad, state):
            state += 1
            weight -= self._get_lr(index) * grad

    down = mx.optimizer.create("gluonishdown", learning_rate=0.5)
    weight, updater = mx.nd.ones(2), mx.optimizer.get_updater(down)
    updater(0, mx.nd.ones(2), weight)
    state = updater.sync_state_context(updater.states[0], mx.cpu(0))
    nothing = updater.sync_state_context((None, state), mx.cpu(0))
    return [weight, state, nothing[0], raised(lambda: down.set_lr_scale({0: 2}))]


def the_in_environment(mx):
    seen = [os.environ.get("GLUONISH_E")]
    with mx.test_utils.environment("GLUONISH_E", "5"):
        seen.append(os.environ.get("GLUONISH_E"))
    with mx.test_utils.environment({"GLUONISH_E": "6", "GLUONISH_F": None}):
        seen.append(os.environ.get("GLUONISH_E"))
    mx.test_utils.setenv("GLUONISH_E", None)
    return [*seen, os.environ.get("GLUONISH_E")]


def the_in_modes(mx):
    """Return what is in force where the modes of NumPy are set in each way."""
    util, seen = mx.util, []

    def look():
        return [util.is_np_shape(), util.is_np_array()]

    before = util.set_np_shape(True)
    seen.append([before, *look(), util.set_np_shape(before)])
    wraps = (util.use_np, util.use_np_array, util.use_np_shape, mx.test_utils.use_np)
    seen += [wrap(look)() for wrap in wraps]
    with util.np_shape(True), util.np_array(True):
        seen.append(look())

    @util.use_np_shape
    class Inside:
        def look(self):
            return look()

    return [*seen, Inside().look(), look()]


def the_recurrent_checkpoint(mx):
    """Return what checkpoints of recurrent cells hold."""
    cell = mx.rnn.LSTMCell(2, prefix="l_")
    with mx.name.NameManager():
        outputs, _ = cell.unroll(2, [mx.sym.var(f"t{i}_data") for i in range(2)])
    symbol = mx.sym.Group(outputs)
    shapes = dict.fromkeys(("t0_data", "t1_data"), (1, 3))
    args = dict(zip(symbol.list_arguments(), symbol.infer_shape(**shapes)[0]))  # noqa: B905
    params = {k: mx.nd.array(values(v)) for k, v in args.items() if k not in shapes}
    with tempfile.TemporaryDirectory() as folder:
        prefix = str(pathlib.Path(folder, "r"))
        mx.rnn.save_rnn_checkpoint(cell, prefix, 1, symbol, params, {})
        stored = sorted(mx.nd.load(f"{prefix}-0001.params"))
        mx.rnn.do_rnn_checkpoint(cell, prefix, 2)(1, symbol, params, {})
        loaded = mx.rnn.load_rnn_checkpoint(cell, prefix, 2)[1]
    return [stored, sorted(loaded), all((loaded[k] == params[k]).asnumpy().all() for k in params)]


class _Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def the_callbacks(mx):
    """Return what two callbacks log and save."""
    lines, root = _Lines(), logging.getLogger()
    level = root.level
    root.addHandler(lines)
    root.setLevel(logging.INFO)
    metric = mx.metric.Accuracy()
    metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.8, 0.2]])])
    try:
        call = mx.callback.log_train_metric(2, auto_reset=True)
        for batch in range(3):
            call(SimpleNamespace(epoch=1, nbatch=batch, eval_metric=metric, locals=None))
        module = SimpleNamespace(save_checkpoint=lambda *args: lines.lines.append(str(args)))
        save = mx.callback.module_checkpoint(module, "p", period=2, save_optimizer_states=True)
        for epoch in range(4):
            save(epoch)
    finally:
        root.removeHandler(lines)
        root.setLevel(level)
    return lines.lines


def the_embeddings(mx):
    """Return words and vectors of vocabularies and files of vectors."""
    text = mx.contrib.text
    counts = text.utils.count_tokens_from_str(" a b b \n c c c ", to_lower=True)
    words = text.vocab.Vocabulary(counts, min_freq=2, reserved_tokens=["<pad>"])
    found = [sorted(counts.items()), words.idx_to_token, words.token_to_idx, len(words)]
    found += [words.to_indices(["c", "zz"]), words.to_tokens([1, 2]), words.unknown_token]
    found += [words.reserved_tokens]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "v.txt")
        path.write_text("b 1 2\nc 3 4\n")
        vectors = text.embedding.CustomEmbedding(str(path), init_unknown_vec=mx.nd.ones)
        both = text.embedding.CompositeEmbedding(words, [vectors, vectors])
    vectors.update_token_vectors("b", mx.nd.array([[7, 8]]))
    found += [vectors.vec_len, vectors.idx_to_token, vectors.get_vecs_by_tokens(["b", "no"])]
    found += [vectors.idx_to_vec, vectors.to_indices("c"), vectors.to_tokens(1), both.idx_to_vec]
    found += [both.vec_len, both.get_vecs_by_tokens("c"), vectors.unknown_token]
    names = text.embedding.get_pretrained_file_names()
    return [*found, sorted(names), names["glove"]]


def the_calibrated(mx):
    """Return what nets give on integers, calibrated step by step and at once."""
    q = mx.contrib.quantization
    data = mx.sym.var("data")
    layer = mx.sym.FullyConnected(data, num_hidden=2, name="c")
    args = {"c_weight": mx.nd.array(values((2, 12)) - 0.5), "c_bias": mx.nd.array([0.5, -0.5])}
    array = mx.nd.array(values((2, 3, 2, 2)))
    batches = mx.io.NDArrayIter(array, batch_size=2, label_name=None)
    symbol, _, aux, collector = q.quantize_graph(
        layer, args, {}, quantized_dtype="int8", ctx=mx.cpu(), calib_mode="naive"
    )
    collector.min_max_dict["data"] = (0.0, 0.96)
    symbol, params, aux = q.calib_graph(symbol, args, aux, collector, calib_mode="naive")
    found = the_ran(mx, symbol, params, array)
    conv = mx.sym.Convolution(data, kernel=(1, 1), num_filter=2, name="c")
    args["c_weight"] = mx.nd.array(values((2, 3, 1, 1)))
    symbol, params, aux = q.quantize_model_mkldnn(
        mx.sym.Activation(conv, act_type="relu", name="r"), args, {}, ctx=mx.cpu(),
        calib_mode="naive", calib_data=batches, num_calib_examples=2, quantized_dtype="uint8",
    )  # fmt: skip
    return [found, the_ran(mx, symbol, params, array)]


def the_ran(mx, symbol, params, array):
    module = mx.mod.Module(symbol, label_names=None)
    module.bind([("data", array.shape)], for_training=False)
    module.set_params(params, {})
    module.forward(mx.io.DataBatch([array]), is_train=False)
    return module.get_outputs()[0]


def rows():
    """Return all rows, with each name of their lists."""
    found = []
    for line in ROWS.read_text().splitlines():
        key, text = line[:12].strip(), line[12:]
        names = LISTS[key].split() if key else ["_"]
        found += [text.replace("._", f".{name}").replace("'_'", f"'{name}'") for name in names]
    return found


def told(result):
    """Return a result as plain data."""
    if isinstance(result, (list, tuple)):
        return [told(part) for part in result]
    if isinstance(result, dict):
        return {str(key): told(value) for key, value in result.items()}
    if hasattr(result, "asnumpy") and not hasattr(result, "list_arguments"):
        array = result.asnumpy()
        values = [float(value) for value in array.ravel()]
        return {"dtype": array.dtype.name, "shape": list(array.shape), "values": values}
    if isinstance(result, onp.generic):
        return result.item()
    return result if isinstance(result, (int, float, str, type(None))) else type(result).__name__


def run(mx, row):
    """Return what a row tells, or which error it raises."""
    with mx.name.NameManager():
        return told(raised(lambda: eval(row, Names(mx))))
