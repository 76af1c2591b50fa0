"""Attributes that graphs, modules and batches of other libraries have, and what to use here."""

from __future__ import annotations

from typing import Final

OF_MODULES: Final[dict[str, dict[str, str]]] = {
    "Symbol": {
        **dict.fromkeys(
            ("shape", "size", "ndim", "dtype"),
            "A symbol has none yet: s.infer_shape(data=(2, 3)) finds shapes, "
            "s.infer_type(data='float32') dtypes. In x.reshape((0, -1)) 0 is the length that x "
            "has, -1 what is left, -2 the other lengths as they are, and -4 splits one into the "
            "two behind it, as in (0, -4, 2, -1, -2); F.shape_array(x) is the shape as data",
        ),
        **dict.fromkeys(
            ("item", "numpy", "context", "values", "tolist"),
            "A symbol has no values yet: s.eval(data=array) computes it, and so does "
            "s.bind(mx.cpu(), arrays).forward()",
        ),
        **dict.fromkeys(
            ("grad", "requires_grad", "requires_grad_", "grad_fn"),
            "A symbol is bound first: executor = s.simple_bind(mx.cpu(), data=(2, 3)), then "
            "executor.forward(is_train=True) and executor.backward()",
        ),
        **dict.fromkeys(
            ("fit", "predict", "train"), "mx.mod.Module(symbol) has fit, predict and score"
        ),
    },
    "DataBatch": {
        **dict.fromkeys(("labels", "targets", "target", "y"), "batch.label is the list of labels"),
        **dict.fromkeys(("inputs", "x", "images", "features"), "batch.data is the list of data"),
        "shape": "batch.data[0].shape is that of the first data",
    },
    "BaseModule": {
        **dict.fromkeys(("train", "train_on_batch"), "mod.fit(train_data, num_epoch=10) trains"),
        **dict.fromkeys(("evaluate", "test"), "mod.score(eval_data, 'acc') evaluates"),
        **dict.fromkeys(
            ("save", "state_dict", "load_state_dict"),
            "mod.save_checkpoint('prefix', epoch) writes files, mx.mod.Module.load reads them",
        ),
        **dict.fromkeys(
            ("params", "parameters", "collect_params"),
            "arg_params, aux_params = mod.get_params() are the values",
        ),
        "initialize": "mod.init_params(mx.init.Xavier()) fills parameters, after mod.bind(...)",
        "step": "mod.update() changes parameters after mod.forward_backward(batch)",
        **dict.fromkeys(
            ("save_parameters", "load_parameters"),
            "mod.save_params(file) and mod.load_params(file) keep parameters",
        ),
        "summary": "mx.viz.print_summary(mod.symbol, shape={'data': (1, 3, 28, 28)}) shows layers",
        "predict_proba": "mod.predict(eval_data) gives the outputs",
        "hybridize": "A Module is a graph already",
        "compile": "mod.bind(...), mod.init_params() and mod.init_optimizer() prepare it",
    },
    "DataLoader": {
        **dict.fromkeys(
            ("next", "get_next", "next_batch"),
            "for x, y in loader: goes through the batches; next(iter(loader)) is the first",
        ),
        "reset": "Leave it out: every for loop begins anew",
        **dict.fromkeys(
            (
                "take",
                "map",
                "batch",
                "shuffle",
                "sampler",
                "collate_fn",
                "num_workers",
                "drop_last",
            ),
            "DataLoader(dataset, batch_size, shuffle, sampler, batchify_fn, num_workers) is told "
            "all of it when it is made",
        ),
        **dict.fromkeys(
            ("provide_data", "provide_label"),
            "mx.io.NDArrayIter has them, for a Module; mx.contrib.io.DataLoaderIter(loader) too",
        ),
        **dict.fromkeys(
            ("data", "dataset"), "Keep the dataset beside it; for x, y in loader: has its batches"
        ),
        "batch_size": "x.shape[0] is the size of a batch",
    },
}
