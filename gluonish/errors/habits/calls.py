"""Objects that other libraries call, and what is written here instead."""

from __future__ import annotations

from typing import Final

# By the class, or a base of it.
CALLS: Final[dict[str, str]] = {
    "EvalMetric": "metric.update(labels, preds) counts, metric.get() returns name and value",
    "Parameter": "p.data() is its array, p.grad() the gradient",
    "ParameterDict": "params.values() are the parameters, params.items() names and parameters",
    "Trainer": "trainer.step(batch_size) updates the parameters, after loss.backward()",
    "Optimizer": "gluon.Trainer(net.collect_params(), optimizer) updates by it",
    "DataLoader": "for x, y in loader: goes through the batches",
    "Dataset": "dataset[0] is its first sample, len(dataset) how many there are",
    "DataIter": "for batch in iterator: goes through batches, iterator.reset() begins anew",
    "DataBatch": "batch.data[0] is the first data, batch.label[0] the first label",
    "Context": "mx.cpu() and mx.gpu(0) are devices already; x.as_in_context(ctx) moves an array",
    "Estimator": "est.fit(train_data, epochs=10) trains, est.net(x) predicts",
    "BaseModule": "mod.predict(iterator) predicts, mod.fit(iterator, num_epoch=10) trains",
    "Executor": "executor.forward() computes, executor.outputs are the results",
    "KVStoreBase": "kv.init, kv.push and kv.pull keep arrays by keys",
    "NDArray": (
        "Leave the parentheses out: x is an array, x[0] a row of it; nd.relu(x) calls an operator"
    ),
    "MXRecordIO": "record.read() and record.write(buf) go through it",
    "Monitor": "monitor.install(executor), tic() and toc_print() watch",
    "EventHandler": "Pass it to est.fit(train_data, event_handlers=[handler])",
}
