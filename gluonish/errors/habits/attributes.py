"""Attributes that other libraries' objects have, and what to use here."""

from __future__ import annotations

from typing import Final

from gluonish.errors.habits.attributes_of_modules import OF_MODULES

_TRAINED: Final = "gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}) trains a net"
_MOVE: Final = "x.as_in_context(ctx) moves an array to mx.gpu() or mx.cpu()"
_CAST: Final = "x.astype('float16') gives an array of another dtype"
_WRITE: Final = "Write to an array by x[:] = value, or x += value"
_GRADIENT: Final = "x.attach_grad() says that the gradient of an array is wanted"
_PLACE: Final = (
    "net.initialize(ctx=mx.gpu()) puts parameters on a device, "
    "net.collect_params().reset_ctx(mx.gpu()) moves them"
)
_MODE: Final = (
    "Leave it out: a net learns inside of autograd.record(), and predicts outside; "
    "autograd.train_mode() and autograd.predict_mode() say so for some lines"
)
_GATHERED: Final = "net.collect_params() gives all parameters by name"
_FOR_TRAINERS: Final = (
    f"{_GATHERED}, for gluon.Trainer(net.collect_params(), 'sgd'); net.to_torch() is a module "
    f"with such a method, for torch.optim"
)
_KEPT: Final = "net.save_parameters(file) and net.load_parameters(file) keep parameters"
_BELOW: Final = (
    "for layer in net: goes through a Sequential, net[0] is its first layer; net.apply(function) "
    "visits all Blocks"
)
_FIT: Final = (
    "A loss and a Trainer take its place: est = gluon.contrib.estimator.Estimator(net, "
    "gluon.loss.SoftmaxCrossEntropyLoss(), trainer=gluon.Trainer(net.collect_params(), 'sgd')), "
    "then est.fit(gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch_size=32), epochs=5)"
)
_CONVERTED: Final = "net.cast('float16') converts a net"
_FRESH: Final = "backward() replaces gradients: leave this line out"
_OF_LAYERS: Final = "Layers have parameters: net[0].weight, net[0].bias of a Sequential"
_ADDED: Final = "net.add(block) appends to a Sequential"
_RATE: Final = (
    "trainer.learning_rate tells the learning rate, trainer.set_learning_rate(0.01) changes it"
)
_VALUE: Final = "metric.get() returns name and value, metric.reset() begins anew"
_STREAM: Final = (
    "dataset.transform(function) and transform_first change samples; gluon.data.DataLoader("
    "dataset, batch_size=32, shuffle=True) makes batches"
)
_COMPARED: Final = "x == y, x > y and their kin compare"
_ARITHMETIC: Final = "x + y, x - y, x * y, x / y and x ** y compute"
_SCHEDULED: Final = (
    "A schedule is not stepped: leave the line out. trainer.step(batch_size) asks the schedule "
    "that the Trainer was given, as {'learning_rate': 0.1, 'lr_scheduler': schedule}"
)
_FREEZE: Final = "p.grad_req = 'null' freezes a parameter, 'write' thaws it; p.grad_req tells which"

# What PyTorch's tensors, modules and optimizers have under other names; NumPy's and Keras's, too.
ATTRIBUTES: Final[dict[str, dict[str, str]]] = {
    "NDArray": {
        "to": f"{_MOVE}, {_CAST}",
        **dict.fromkeys(("cuda", "pin_memory", "to_device"), _MOVE),
        "cpu": f"{_MOVE}; x.asnumpy() copies to NumPy from wherever it is",
        **dict.fromkeys(
            (
                "float",
                "double",
                "half",
                "long",
                "int",
                "bool",
                "type",
                "bfloat16",
                "byte",
                "char",
                "short",
                "type_as",
            ),
            _CAST,
        ),
        **dict.fromkeys(("numel", "nelement"), "x.size is the number of elements"),
        **dict.fromkeys(("dim", "ndimension"), "x.ndim is the number of axes"),
        **dict.fromkeys(("requires_grad", "requires_grad_", "retain_grad", "is_leaf"), _GRADIENT),
        **dict.fromkeys(
            (
                "add_",
                "sub_",
                "mul_",
                "div_",
                "copy_",
                "fill_",
                "zero_",
                "fill",
                "put",
                "normal_",
                "uniform_",
                "index_fill",
                "masked_scatter",
            ),
            _WRITE,
        ),
        **dict.fromkeys(("device", "is_cuda", "get_device"), "x.context says where an array is"),
        **dict.fromkeys(
            ("matmul", "mm", "bmm"), "nd.dot(x, y) multiplies matrices, nd.batch_dot many"
        ),
        **dict.fromkeys(("add", "sub", "mul", "div", "pow", "neg"), _ARITHMETIC),
        **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _COMPARED),
        **dict.fromkeys(("view", "resize"), "x.reshape((2, -1)) gives another shape"),
        **dict.fromkeys(("view_as", "reshape_as"), "x.reshape_like(y) gives the shape of y"),
        "ravel": "x.reshape(-1) gives the elements in one row",
        "numpy": "x.asnumpy() copies an array to NumPy",
        "unsqueeze": "x.expand_dims(axis=0) adds an axis",
        **dict.fromkeys(("permute", "t"), "x.transpose((1, 0)) changes the order of axes"),
        "clone": "x.copy() copies an array",
        "contiguous": "Leave it out: arrays are in order where that matters",
        **dict.fromkeys(
            ("expand", "expand_as"), "x.broadcast_to((2, 3)) repeats along axes of length 1"
        ),
        "data": "x.detach() is an array outside of what is recorded; x.tensor is torch's tensor",
        "masked_fill": "nd.where(mask, value, x) fills elements",
        "masked_select": "nd.contrib.boolean_mask(x, mask) chooses rows",
        "index_select": "x.take(indices, axis=0) chooses rows",
        "gather": "nd.pick(x, indices) and nd.gather_nd(x, indices) choose elements",
        "chunk": "x.split(2, axis=0) gives parts of equal size",
        "clamp": "x.clip(0, 1) limits values",
        "clamp_": "x[:] = x.clip(0, 1) limits values in place",
        "diagonal": "nd.diag(x) is the diagonal of a matrix",
        "std": "x.as_np_ndarray().std(...).as_nd_ndarray(), with the same axis, is it",
        "var": "x.as_np_ndarray().var(...).as_nd_ndarray(), with the same axis, is it",
        "all": "(x != 0).min() tells; x.asnumpy().all(), too",
        "any": "(x != 0).max() tells; x.asnumpy().any(), too",
        "grad_fn": "What is recorded is not shown; autograd.is_recording() tells whether it is",
        "zero_grad": _FRESH,
        "assign": _WRITE,
        "eval": "x.asnumpy() gives the values",
        **dict.fromkeys(
            (
                "tobytes",
                "tofile",
                "dump",
                "dumps",
                "ctypes",
                "flags",
                "strides",
                "base",
                "flat",
                "byteswap",
                "getfield",
                "setfield",
                "setflags",
            ),
            "x.asnumpy() is NumPy's array, which has it",
        ),
        **dict.fromkeys(
            ("argpartition", "partition"), "x.sort() and x.argsort() order all of it, nd.topk some"
        ),
        **dict.fromkeys(
            ("searchsorted", "choose", "compress", "conjugate"),
            "x.asnumpy() is NumPy's array, which has it",
        ),
        "itemset": "x[0, 1] = 5 sets an element",
        "newbyteorder": "x.asnumpy().byteswap() turns the bytes of numbers",
        "ptp": "x.max() - x.min() is the span of the numbers",
        "tostring": "x.asnumpy().tobytes() are the bytes",
        **dict.fromkeys(
            ("tail", "describe", "apply", "map", "plot", "groupby", "merge", "to_csv"),
            "pandas.DataFrame(x.asnumpy()) is a table",
        ),
        "values": "x.asnumpy() gives the values",
        **dict.fromkeys(
            ("append", "extend", "insert"),
            "Arrays keep their length: nd.concat(x, y, dim=0), np.concatenate([x, y]) join two",
        ),
        **dict.fromkeys(
            ("pop", "remove", "delete", "drop", "__delitem__"),
            "Arrays keep their length: nd.concat(x[:2], x[3:], dim=0) leaves row 2 out",
        ),
        **dict.fromkeys(
            ("rows", "items", "iterrows", "columns", "cols", "keys", "iloc", "loc", "head"),
            "x[0] is a row, x[:, 0] a column, for row in x: goes through the rows",
        ),
        **dict.fromkeys(("as_numpy", "tonumpy", "get"), "x.asnumpy() copies an array to NumPy"),
        **dict.fromkeys(("length", "len", "count"), "len(x) is the number of rows, x.size of all"),
    },
    **OF_MODULES,
    "Block": {
        **dict.fromkeys(("parameters", "named_parameters"), _FOR_TRAINERS),
        **dict.fromkeys(
            ("buffers", "variables", "get_parameter", "trainable_variables", "trainable_weights"),
            _GATHERED,
        ),
        **dict.fromkeys(
            (
                "state_dict",
                "load_state_dict",
                "save_weights",
                "load_weights",
            ),
            _KEPT,
        ),
        "get_weights": "[p.data() for p in net.collect_params().values()] are its weights",
        "set_weights": "p.set_data(x) of each of net.collect_params().values() sets its weights",
        **dict.fromkeys(("children", "modules", "named_modules", "named_children"), _BELOW),
        **dict.fromkeys(("layers", "get_layer", "get_submodule"), _BELOW),
        **dict.fromkeys(("to", "cuda", "cpu"), _PLACE),
        **dict.fromkeys(("train", "eval"), _MODE),
        **dict.fromkeys(("half", "float", "double", "bfloat16"), _CONVERTED),
        **dict.fromkeys(
            (
                "compile",
                "fit",
                "evaluate",
                "train_on_batch",
                "test_on_batch",
                "fit_generator",
                "partial_fit",
                "score",
                "stop_training",
                "optimizer",
                "metrics",
                "reset_metrics",
            ),
            _FIT,
        ),
        **dict.fromkeys(
            ("predict", "predict_on_batch", "predict_generator", "predict_proba", "transform"),
            "net(x) predicts; nd.softmax(net(x)) gives probabilities where the loss has softmax",
        ),
        "load_dict": "net.collect_params().load_dict(arrays, mx.cpu()) reads them by name",
        "history": "est.history of an Estimator has the metrics after each epoch",
        **dict.fromkeys(
            ("to_json", "from_json", "get_config", "from_config", "save_model", "load_model"),
            "net.export('model') writes graph and parameters of a HybridBlock, "
            "gluon.SymbolBlock.imports reads them",
        ),
        **dict.fromkeys(
            ("input_shape", "output_shape", "count_params", "inputs", "outputs", "input", "output"),
            "net.summary(x) shows shapes and numbers of parameters on the way of a batch",
        ),
        **dict.fromkeys(("non_trainable_weights", "coef_", "intercept_"), _GATHERED),
        **dict.fromkeys(("add_loss", "losses"), "Add it to the loss inside autograd.record()"),
        **dict.fromkeys(
            ("bind", "simple_bind", "init_params", "forward_backward", "update"),
            "Modules have it; a Block is initialized, called, and trained by a gluon.Trainer",
        ),
        **dict.fromkeys(
            ("ctx", "context", "device"), "net.collect_params().list_ctx() says where a net is"
        ),
        **dict.fromkeys(("append", "insert", "extend"), _ADDED),
        **dict.fromkeys(("weight", "bias", "kernel", "weights"), _OF_LAYERS),
        **dict.fromkeys(
            ("__setitem__", "__delitem__", "pop", "remove"),
            "Blocks are not replaced: make the net anew with the other one",
        ),
        **dict.fromkeys(
            ("backward", "item"),
            "What a Block returns has it: loss = loss_function(net(x), y), then loss.backward()",
        ),
        "zero_grad": f"{_FRESH}; with grad_req='add', net.collect_params().zero_grad() does it",
        "add_module": "net.register_child(block, 'name') adds a Block",
        "register_module": "net.register_child(block, 'name') adds a Block",
        "register_buffer": "self.params.get_constant('name', value) adds what is never trained",
        "register_parameter": "self.params.get('name', shape=...) adds a parameter",
        "add_weight": "self.params.get('name', shape=...) adds a parameter",
        "requires_grad_": "net.collect_params().setattr('grad_req', 'null') freezes parameters",
        "trainable": "net.collect_params().setattr('grad_req', 'null') freezes parameters",
        "build": "net.infer_shape(x) finds shapes, so does the first call",
        "call": "Define forward(self, x), or hybrid_forward(self, F, x); net(x) calls it",
        "set_params": "net.load_parameters(file) sets values, p.set_data(array) that of one",
        "get_params": _GATHERED,
        **dict.fromkeys(
            ("export", "optimize_for", "infer_shape", "infer_type"),
            "Only HybridBlocks have it: make the net of nn.HybridSequential, or derive it from "
            "HybridBlock with hybrid_forward(self, F, x)",
        ),
    },
    "Parameter": {
        **dict.fromkeys(("requires_grad", "requires_grad_"), _FREEZE),
        **dict.fromkeys(("to", "cuda", "cpu"), "p.reset_ctx(mx.gpu()) moves a parameter"),
        **dict.fromkeys(("numel", "size", "dim"), "p.data() is its array, p.data().size the size"),
        **dict.fromkeys(("numpy", "asnumpy", "detach", "item"), "p.data().asnumpy() is its value"),
        **dict.fromkeys(
            ("fill_", "zero_", "copy_", "normal_", "uniform_"),
            "p.set_data(array) sets its value, p.initialize(mx.init.Normal(), force_reinit=True) "
            "fills it anew",
        ),
        "assign": "p.set_data(array) sets its value",
        "device": "p.list_ctx() says where a parameter is",
        "value": "p.data() is its array",
        **dict.fromkeys(
            (
                "__add__",
                "__radd__",
                "__sub__",
                "__rsub__",
                "__mul__",
                "__rmul__",
                "__truediv__",
                "__rtruediv__",
                "__pow__",
                "__matmul__",
                "__neg__",
                "__getitem__",
                "__setitem__",
                "__float__",
            ),
            "p.data() is its array, which computes: p.data() * 2",
        ),
        "trainable": _FREEZE,
        **dict.fromkeys(
            ("mean", "sum", "norm", "max", "min", "abs", "std", "copy", "astype", "reshape"),
            "p.data() is its array, which has it: p.data().mean()",
        ),
        **dict.fromkeys(
            ("T", "transpose", "tolist", "asscalar"),
            "p.data() is its array, which has it: p.data().T",
        ),
        "save": "net.save_parameters(file) keeps all parameters, mx.nd.save(file, p.data()) one",
        "backward": "What is computed has it: loss.backward(); p.grad() is then the gradient",
        "zero_": "p.set_data(array) sets its value, p.zero_grad() clears the gradient",
    },
    "ParameterDict": {
        **dict.fromkeys(("parameters", "state_dict"), "params.items() are names and parameters"),
        **dict.fromkeys(("to", "cuda", "cpu"), "params.reset_ctx(mx.gpu()) moves parameters"),
        **dict.fromkeys(
            ("requires_grad_", "requires_grad"),
            "params.setattr('grad_req', 'null') freezes parameters",
        ),
        **dict.fromkeys(
            ("append", "extend", "__add__"), "params.update(other) adds those of another"
        ),
        "named_parameters": "params.items() are names and parameters",
        **dict.fromkeys(
            ("grad", "data", "shape", "numel", "mean", "zero_"),
            "Go through it: [p.data() for p in params.values()]; params.zero_grad() clears",
        ),
    },
    "Trainer": {
        "add_param_group": "A second gluon.Trainer updates other parameters",
        "iterations": "trainer.optimizer.num_update counts updates",
        "backward": "loss.backward(), then trainer.step(batch_size)",
        "clip_gradients": "gluon.utils.clip_global_norm(gradients, 1.0), or clip_gradient=1.0 of "
        "the optimizer, limits them",
        "learning_rate_scheduler": _RATE,
        "zero_grad": _FRESH,
        "param_groups": f"{_RATE}; p.lr_mult is a parameter's own factor",
        **dict.fromkeys(("lr", "set_lr", "get_lr", "lr_scheduler"), _RATE),
        **dict.fromkeys(("fit", "train"), _FIT),
        **dict.fromkeys(
            ("save", "load", "save_state", "load_state"),
            "trainer.save_states(file) and trainer.load_states(file) keep the state",
        ),
        "batch_size": "trainer.step(batch_size) is given it",
        **dict.fromkeys(
            ("wd", "weight_decay", "momentum", "clip_gradient"),
            "trainer.optimizer has the settings: trainer.optimizer.wd = 0.01 changes one; "
            "gluon.Trainer(params, 'sgd', {'wd': 0.01}) begins with it",
        ),
        **dict.fromkeys(
            ("params", "parameters"), "net.collect_params() gives all parameters by name"
        ),
        "minimize": "loss.backward(), then trainer.step(batch_size)",
        "apply_gradients": "loss.backward(), then trainer.step(batch_size)",
        **dict.fromkeys(
            ("state_dict", "load_state_dict"),
            "trainer.save_states(file) and trainer.load_states(file) keep the state",
        ),
    },
    "Optimizer": {
        **dict.fromkeys(("step", "zero_grad", "minimize", "apply_gradients"), _TRAINED),
        **dict.fromkeys(
            ("get_lr", "current_lr"),
            "optimizer.learning_rate tells the learning rate, optimizer.set_learning_rate(0.01) "
            "changes it",
        ),
        "lr()": "optimizer.set_learning_rate(0.01) changes it",
        **dict.fromkeys(
            ("state_dict", "load_state_dict", "save", "load", "get_config"),
            "trainer.save_states(file) and trainer.load_states(file) of a Trainer keep states",
        ),
        "param_groups": "optimizer.learning_rate and optimizer.set_lr_mult say how fast",
    },
    "LRScheduler": {
        **dict.fromkeys(("step", "step()", "update", "state_dict", "load_state_dict"), _SCHEDULED),
        **dict.fromkeys(
            ("get_lr", "get_last_lr", "lr", "learning_rate", "current_lr", "last_lr"),
            "schedule(num_update) is the rate after so many updates, trainer.learning_rate that of "
            "now",
        ),
    },
    "Context": {
        **dict.fromkeys(
            ("is_available", "device_count", "count", "num_gpus", "empty"),
            "mx.context.num_gpus() is the number of GPUs",
        ),
        **dict.fromkeys(("type", "kind", "name"), "ctx.device_type is 'cpu' or 'gpu'"),
        **dict.fromkeys(("index", "id", "number"), "ctx.device_id is its number"),
        **dict.fromkeys(
            ("memory_allocated", "memory_info", "total_memory", "mem_get_info"),
            "mx.context.gpu_memory_info(0) tells free and total bytes",
        ),
        "synchronize": "mx.nd.waitall() waits until all is computed",
    },
    "EvalMetric": {
        **dict.fromkeys(("compute", "result", "value", "item", "accuracy"), _VALUE),
        **dict.fromkeys(("reset_states", "reset_state", "mean", "score"), _VALUE),
        **dict.fromkeys(
            ("update_state", "add", "append", "add_batch", "forward"),
            "metric.update(labels, preds) takes labels first, metric.get() returns the result",
        ),
    },
    "Dataset": {
        **dict.fromkeys(("map", "batch", "shuffle", "prefetch", "repeat", "cache"), _STREAM),
        "skip": "dataset.filter(function) and dataset.take(n) choose samples",
        **dict.fromkeys(
            ("train_test_split", "random_split", "split"),
            "dataset.take(n) are the first samples, dataset.shard(2, 0) is half of them, "
            "dataset.sample(sampler) those that a sampler chooses",
        ),
        **dict.fromkeys(
            ("data", "targets", "labels", "head", "iloc", "to_numpy"),
            "dataset[0] is the first sample, dataset[:] are all of them where they are arrays",
        ),
    },
    "Estimator": {
        "predict": "net(x) predicts",
        "compile": "Estimator(net, loss, train_metrics=..., trainer=...) has all of it",
        "train": "est.fit(train_data, epochs=10) trains",
        **dict.fromkeys(
            ("save", "save_weights", "load_weights"),
            "net.save_parameters(file) and net.load_parameters(file) keep parameters",
        ),
        "summary": "est.net.summary(x) shows the layers",
        **dict.fromkeys(("score", "validate", "test"), "est.evaluate(val_data) computes metrics"),
        "fit_generator": "est.fit(train_data, epochs=10) trains",
    },
}

# Attributes of these that may not be set, since setting them would change nothing.
SEALED: Final = {
    "Parameter": ("requires_grad", "trainable"),
    "Trainer": (
        "lr",
        "batch_size",
        "wd",
        "weight_decay",
        "momentum",
        "clip_gradient",
        "lr_scheduler",
    ),
    "DataLoader": ("batch_size", "sampler", "shuffle", "collate_fn", "num_workers", "drop_last"),
    "NDArray": None,  # all: arrays take no new attributes
}
