"""Attributes that other libraries' objects have, and what to use here."""

from __future__ import annotations

from typing import Final

from gluonish.errors.habits.attributes_of_arrays import FRESH, OF_ARRAYS
from gluonish.errors.habits.attributes_of_modules import OF_MODULES

_TRAINED: Final = "gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}) trains a net"
_PLACE: Final = (
    "net.initialize(ctx=mx.gpu()) puts parameters on a device, "
    "net.collect_params().reset_ctx(mx.gpu()) moves them, and returns nothing"
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
_SAVED: Final = "parameters that save_parameters(...) wrote"
_KEPT: Final = "net.save_parameters(file) and net.load_parameters(file) keep parameters"
_BELOW: Final = (
    "for layer in net: goes through a Sequential, net[0] is its first layer, net[:-1] are all "
    "but the last; net.apply(function) visits all Blocks"
)
_FIT: Final = (
    "A loss and a Trainer take its place: est = gluon.contrib.estimator.Estimator(net, "
    "gluon.loss.SoftmaxCrossEntropyLoss(), trainer=gluon.Trainer(net.collect_params(), 'sgd')), "
    "then est.fit(gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), batch_size=32), epochs=5); "
    "where y are numbers to predict, and no classes, the loss is gluon.loss.L2Loss()"
)
_CONVERTED: Final = "net.cast('float16') converts a net"
_OF_LAYERS: Final = "Layers have parameters: net[0].weight, net[0].bias of a Sequential"
_ADDED: Final = "net.add(block) appends to a Sequential"
_RATE: Final = (
    "trainer.learning_rate tells the learning rate, trainer.set_learning_rate(0.01) changes it"
)
_VALUE: Final = (
    "metric.get()[1] is the value, metric.get() name and value, metric.reset() begins anew"
)
_STREAM: Final = (
    "dataset.transform(function) and transform_first change samples; gluon.data.DataLoader("
    "dataset, batch_size=32, shuffle=True) makes batches"
)
_SCHEDULED: Final = (
    "A schedule is not stepped: leave the line out. trainer.step(batch_size) asks the schedule "
    "that the Trainer was given, as {'learning_rate': 0.1, 'lr_scheduler': schedule}"
)
_FROZEN: Final = "net.collect_params().setattr('grad_req', 'null') freezes parameters"
_FREEZE: Final = "p.grad_req = 'null' freezes a parameter, 'write' thaws it; p.grad_req tells which"

# What PyTorch's tensors, modules and optimizers have under other names; NumPy's and Keras's, too.
ATTRIBUTES: Final[dict[str, dict[str, str]]] = {
    **OF_ARRAYS,
    **OF_MODULES,
    "Block": {
        **dict.fromkeys(("parameters", "named_parameters"), _FOR_TRAINERS),
        **dict.fromkeys(
            ("buffers", "variables", "get_parameter", "trainable_variables", "trainable_weights"),
            _GATHERED,
        ),
        **dict.fromkeys(
            ("load_state_dict", "load_weights"),
            f"net.load_parameters(file) loads {_SAVED}",
        ),
        **dict.fromkeys(("state_dict", "save_weights", "save_checkpoint"), _KEPT),
        "get_weights": (
            "layer.weight.data() and layer.bias.data() are those of a layer, "
            "[p.data() for p in net.collect_params().values()] all of a net"
        ),
        "set_weights": (
            "for p, q in zip(net.collect_params().values(), other.collect_params().values()): "
            "p.set_data(q.data()) copies all weights"
        ),
        "training": "autograd.is_training() tells, also in a forward",
        **dict.fromkeys(("children", "modules", "named_modules", "named_children"), _BELOW),
        **dict.fromkeys(("layers", "get_layer", "get_submodule"), f"{_BELOW}; {_FROZEN}"),
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
            "net(x) predicts; net(x).argmax(axis=1) gives class numbers, and nd.softmax(net(x)) "
            "probabilities, where the loss has softmax",
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
        "init_params": "net.initialize(mx.init.Xavier()) draws the parameters of a Block",
        **dict.fromkeys(("non_trainable_weights", "coef_", "intercept_"), _GATHERED),
        **dict.fromkeys(("add_loss", "losses"), "Add it to the loss inside autograd.record()"),
        **dict.fromkeys(
            ("bind", "simple_bind", "forward_backward", "update"),
            "Modules have it; a Block is initialized, called, and trained by a gluon.Trainer",
        ),
        **dict.fromkeys(
            ("ctx", "context", "device"), "net.collect_params().list_ctx() says where a net is"
        ),
        **dict.fromkeys(("append", "insert", "extend"), _ADDED),
        **dict.fromkeys(("weight", "bias", "kernel", "weights"), _OF_LAYERS),
        **dict.fromkeys(
            ("__setitem__", "__delitem__", "pop", "remove"),
            (
                "Layers are not replaced: new = nn.HybridSequential(), then new.add(*net[:-1], "
                "nn.Dense(10)) has all but the last one, with what they have learned"
            ),
        ),
        **dict.fromkeys(
            ("backward", "item"),
            "What a Block returns has it: loss = loss_function(net(x), y), then loss.backward()",
        ),
        "zero_grad": f"{FRESH}; with grad_req='add', net.collect_params().zero_grad() does it",
        "add_module": "net.register_child(block, 'name') adds a Block",
        "register_module": "net.register_child(block, 'name') adds a Block",
        "register_buffer": "self.params.get_constant('name', value) adds what is never trained",
        "register_parameter": "self.params.get('name', shape=...) adds a parameter",
        "add_weight": "self.params.get('name', shape=...) adds a parameter",
        **dict.fromkeys(("requires_grad_", "requires_grad", "trainable"), _FROZEN),
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
        "zero_grad": f"{FRESH}; with grad_req='add', net.collect_params().zero_grad() does it",
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
        **dict.fromkeys(("mean", "score"), _VALUE),
        **dict.fromkeys(("reset_states", "reset_state"), "Write metric.reset()"),
        **dict.fromkeys(
            ("update_state", "add", "append", "add_batch", "forward"),
            "metric.update(labels, preds) takes labels first, metric.get() returns the result",
        ),
    },
    "MXRecordIO": dict.fromkeys(
        ("read_idx", "write_idx", "keys", "seek"),
        "mx.recordio.MXIndexedRecordIO(idx_path, uri, 'r') has keys, read_idx and seek, of a file "
        "that it wrote with write_idx; record.read() gives one after another",
    ),
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
    "Block": ("requires_grad", "trainable"),
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
