"""Take, pick, one_hot, topk, where and friends on a table of scores."""

import gluonish as mx

mx.random.seed(14)

scores = mx.nd.random.uniform(shape=(5, 6))
answers = mx.nd.array([0, 2, 5, 1, 3])

chosen = mx.nd.pick(scores, answers, axis=1)
by_mask = (scores * mx.nd.one_hot(answers, depth=6)).sum(axis=1)
by_gather = mx.nd.gather_nd(scores, mx.nd.stack(mx.nd.arange(5), answers))
print(
    "three ways:", float((chosen - by_mask).sum().asscalar()), (chosen == by_gather).asnumpy().all()
)

best = scores.topk(axis=1, k=2, ret_typ="indices")
values, order = mx.nd.topk(scores, k=3, ret_typ="both", is_ascend=False)
winner = mx.nd.argmax(scores, axis=1)
top = values[:, 0] == scores.max(axis=1)
print("best is first:", (best[:, 0] == winner).asnumpy().all(), top.sum().asscalar())

table = mx.nd.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
looked_up = mx.nd.take(table, mx.nd.array([2, 0, 7]), mode="clip")
passed = mx.nd.where(scores > 0.5, mx.nd.ones_like(scores), mx.nd.zeros_like(scores))
centered = mx.nd.broadcast_sub(scores, scores.mean(axis=1, keepdims=True))
clipped = mx.nd.clip(centered, a_min=-0.2, a_max=0.2)
ranks = mx.nd.argsort(mx.nd.sort(scores, axis=0), axis=0)
total = mx.nd.add_n(passed, clipped, scores)
kept = mx.nd.contrib.boolean_mask(scores, winner > 2)
print(looked_up.shape, total.shape, kept.shape, ranks[:, 0].asnumpy().tolist())
