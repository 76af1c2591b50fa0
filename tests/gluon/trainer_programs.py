"""Programs that look into Trainers: run under the real MXNet for golden values, and by tests."""

from __future__ import annotations

NAMES = (
    "_kv_initialized", "_update_on_kvstore", "_contains_sparse_weight", "_contains_sparse_grad",
    "_distributed", "_scale", "_compression_params",
)  # fmt: skip


def attributes(trainer):
    """Return what wrappers of a Trainer read."""
    found = {name: getattr(trainer, name) for name in NAMES}
    store = trainer._kvstore
    return {
        **found,
        "store": None if store is None else store.type,
        "left": [param.name for param in trainer._params_to_init],
        "params": [param.name for param in trainer._params],
        "asked": trainer._kvstore_params["kvstore"],
    }


def backward(mx, arrays):
    """Have gradients of 1."""
    with mx.autograd.record():
        for array in arrays:
            (array + 1).backward()


def stored(kvstore, stype, grad_stype, updates, contexts=2):
    """Return a program that tells where a weight is updated, and to what."""

    def program(mx):
        devices = [mx.cpu(i) for i in range(contexts)]
        params = mx.gluon.ParameterDict()
        weight = params.get("w", shape=(3, 1), stype=stype, grad_stype=grad_stype)
        params.initialize(ctx=devices, init="zeros")
        trainer = mx.gluon.Trainer(
            params, "sgd", {"learning_rate": 0.1}, kvstore=kvstore, update_on_kvstore=updates
        )
        found = [attributes(trainer)]
        rows = mx.nd.arange(3, dtype="int64")
        is_dense = stype == "default"
        try:
            backward(mx, weight.list_data() if is_dense else weight.list_row_sparse_data(rows))
            trainer.step(1)
        except ValueError as error:
            return [*found, str(error).partition("Cannot")[2].partition(" when")[0]]
        value = weight.data(devices[0]) if is_dense else weight.row_sparse_data(rows)
        return [
            *found,
            attributes(trainer),
            [round(v, 6) for v in value.asnumpy().ravel().tolist()],
        ]

    return program


def reset(kvstore):
    """Return a program that loads parameters in between."""

    def program(mx):
        weight = mx.gluon.Parameter("w", shape=(2,))
        weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)], init="zeros")
        trainer = mx.gluon.Trainer([weight], "sgd", {"learning_rate": 0.1}, kvstore=kvstore)
        found = []
        for _ in range(2):
            backward(mx, weight.list_data())
            trainer.step(1)
            found.append(attributes(trainer))
            weight.set_data(mx.nd.ones(2))
            found.append(attributes(trainer))
        backward(mx, weight.list_data())
        trainer.step(1)
        return [*found, [round(v, 6) for v in weight.data(mx.cpu(1)).asnumpy().tolist()]]

    return program


def deferred(mx):
    """Tell when parameters whose shapes come late have reached the store."""
    net = mx.gluon.nn.Dense(3, prefix="net_")
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    found = [attributes(trainer)]
    parts = mx.gluon.utils.split_and_load(mx.nd.ones((4, 2)), [mx.cpu(0), mx.cpu(1)])
    with mx.autograd.record():
        outputs = [net(part) for part in parts]
    mx.autograd.backward(outputs)
    found.append(attributes(trainer))
    trainer.step(4)
    return [*found, attributes(trainer)]


def set_trainers(mx):
    """Give weights several Trainers."""
    dense, rows = (
        mx.gluon.Parameter("d", shape=(2,)),
        mx.gluon.Parameter("r", shape=(2,), stype="row_sparse"),
    )
    for param in (dense, rows):
        param.initialize()
    mx.gluon.Trainer([dense], "sgd")
    second = mx.gluon.Trainer([dense], "sgd")
    first = mx.gluon.Trainer([rows], "sgd")
    found = [dense._trainer is second, rows._trainer is first]
    rows._set_trainer(None)
    found.append(rows._trainer is None)
    rows._set_trainer(first)
    try:
        mx.gluon.Trainer([rows], "sgd")
    except RuntimeError as error:
        found.append(str(error).partition(" Use the first")[0])
    return found


def refused(mx):
    """Update by hand what the store updates."""
    weight = mx.gluon.Parameter("w", shape=(2,))
    weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer, found = mx.gluon.Trainer([weight], "sgd"), []
    for method in (lambda: trainer.update(1), trainer.allreduce_grads):
        try:
            method()
        except AssertionError:
            found.append("AssertionError")
    return found


PROGRAMS = {
    "local": stored("local", "default", "default", None),
    "local, contexts update": stored("local", "default", "default", False),
    "one context": stored("device", "default", "default", None, 1),
    "gradients of rows": stored("device", "default", "row_sparse", None),
    "gradients of rows, store updates": stored("device", "default", "row_sparse", True),
    "rows": stored("local", "row_sparse", "row_sparse", None),
    "rows, contexts update": stored("local", "row_sparse", "row_sparse", False),
    "rows, one context": stored("device", "row_sparse", "row_sparse", None, 1),
    "reset local": reset("local"),
    "reset device": reset("device"),
    "reset none": reset(None),
    "deferred": deferred,
    "set_trainers": set_trainers,
    "refused": refused,
}
