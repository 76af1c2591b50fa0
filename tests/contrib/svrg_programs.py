"""Programs that train an SVRGModule, run under the real MXNet and by tests."""

from __future__ import annotations

import numpy as onp


def data(mx, batch_size):
    """Return a linear function with some noise, in batches."""
    draws = onp.random.RandomState(0)
    x = draws.randn(20, 3).astype("float32")
    y = (x @ [1, 2, 3] + draws.randn(20) / 9).astype("float32")
    return mx.io.NDArrayIter(x, y, batch_size, label_name="lin_label")


def module_of(mx, **options):
    """Return a module for a linear function."""
    output = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    output = mx.sym.LinearRegressionOutput(output, mx.sym.var("lin_label"), name="lin")
    svrg = mx.contrib.svrg_optimization.svrg_module.SVRGModule
    return svrg(output, data_names=["data"], label_names=["lin_label"], **options)


def weights(module):
    """Return a module's parameters as lists."""
    found = module.get_params()[0]
    return {name: array.asnumpy().ravel().tolist() for name, array in found.items()}


# MXNet adds the averages before to those of all data after `update_freq` epochs: no longer here.


def by_hand(mx):
    """Return the weights after each epoch of a loop that a program writes itself."""
    train, module = data(mx, 5), module_of(mx, update_freq=2)
    module.bind(train.provide_data, train.provide_label)
    module.init_params(mx.init.Constant(0.1))
    params = {"learning_rate": 0.025}
    module.init_optimizer(kvstore="local", optimizer="sgd", optimizer_params=params)
    found = []
    for epoch in range(2):
        if epoch % module.update_freq == 0:
            module.update_full_grads(train)
        train.reset()
        for batch in train:
            module.forward_backward(batch)
            module.update()
        found.append(weights(module))
    return found


def fitted(batch_size=5, optimizer="sgd", update_freq=2, **options):
    """Return a program that calls fit."""

    def program(mx):
        module = module_of(mx, update_freq=update_freq, **options)
        module.fit(
            data(mx, batch_size),
            eval_metric="mse",
            optimizer=optimizer,
            optimizer_params={"learning_rate": 0.025},
            initializer=mx.init.Constant(0.1),
            num_epoch=update_freq,
        )
        metric = module.score(data(mx, batch_size), "mse")
        return {**weights(module), "mse": [metric[0][1]]}

    return program


PROGRAMS = {
    "by_hand": by_hand,
    "fit": fitted(),
    "fit_padded": fitted(batch_size=8),
    "fit_adam": fitted(optimizer="adam"),
    "fit_rarely": fitted(update_freq=4),
}
