"""Programs with metrics, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import math

import numpy as onp


def cases():
    """Yield titles and programs: each takes the module, and returns plain data."""
    yield "aliases", aliases
    yield "texts", lambda mx: [str(mx.metric.create(name)) for name in ("acc", "mse", "composite")]
    yield "configs", configs
    yield "several outputs", several
    yield "chosen outputs", chosen
    yield "chosen by a composite", chosen_by_composite
    yield "nested composites", nested
    yield "functions", functions
    yield "functions with several outputs", several_for_function
    yield "created with arguments", created
    yield "created from configs", from_config
    yield "subclasses", subclass
    yield "resets", resets
    yield "shapes of predictions", shapes
    yield "dtypes", dtypes
    yield "growing confusion", confusion
    yield "labels of two classes", two_labels
    yield "refusals", refusals


def arrays(mx, *values):
    return [mx.nd.array(value) for value in values]


NAMES = (
    "acc", "accuracy", "Accuracy", "top_k_accuracy", "top_k_acc", "topkaccuracy", "f1", "mcc",
    "pcc", "mae", "mse", "rmse", "ce", "cross-entropy", "crossentropy", "nll_loss", "nll-loss",
    "negativeloglikelihood", "pearsonr", "pearsoncorrelation", "loss", "torch", "caffe",
    "composite", "compositeevalmetric", "perplexity", "custommetric", "binary_accuracy", "fbeta",
    "evalmetric",
)  # fmt: skip


def aliases(mx):
    found = []
    for name in NAMES:
        options = {"top_k": 2} if name.startswith("top") else {}
        if name == "perplexity":
            options = {"ignore_label": None}
        try:
            metric = mx.metric.create(name, **options)
            found.append([name, type(metric).__name__, str(metric.name)])
        except (AssertionError, TypeError):
            found.append([name, "refused"])
    return found


def configs(mx):
    m = mx.metric
    made = [
        m.Accuracy(axis=2, name="a", output_names=["o"], label_names=["l"]),
        m.TopKAccuracy(3),
        m.CrossEntropy(1e-3),
        m.NegativeLogLikelihood(1e-3),
        m.Perplexity(3, axis=1),
        m.F1(average="micro"),
        m.PCC(has_global_stats=False),
        m.Loss(),
        m.CompositeEvalMetric([m.Accuracy(), m.MSE()], name="both"),
    ]
    return [repr(sorted(metric.get_config().items())) for metric in made]


def several(mx):
    found = []
    for name in ("acc", "ce", "mse", "mae", "f1", "mcc", "pcc", "loss", "pearsonr", "micro"):
        metric = mx.metric.F1(average="micro") if name == "micro" else mx.metric.create(name)
        if name in ("mse", "mae", "pearsonr"):
            labels, preds = arrays(mx, [1, 2, 4], [3, 5, 4]), arrays(mx, [1, 1, 2], [5, 5, 5.5])
        elif name == "loss":
            labels, preds = None, arrays(mx, [1, 2], [[3, 4], [5, 6]])
        else:
            labels = arrays(mx, [0, 1], [1, 1])
            preds = arrays(mx, [[0.9, 0.1], [0.8, 0.2]], [[0.3, 0.7], [0.4, 0.6]])
        metric.update(labels, preds)
        found.append([name, metric.get(), metric.num_inst, metric.get_global_name_value()])
    return found


def chosen(mx):
    metric = mx.metric.Accuracy(output_names=["fc_output"], label_names=["softmax_label"])
    (label,) = arrays(mx, [0, 1])
    good, bad = arrays(mx, [[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.8, 0.2]])
    labels = {"other_label": 1 - label, "softmax_label": label}
    metric.update_dict(labels, {"other_output": bad, "fc_output": good})
    free = mx.metric.Accuracy()
    free.update_dict({"l": label}, {"o": good})
    return [metric.get(), free.get()]


def chosen_by_composite(mx):
    both = mx.metric.CompositeEvalMetric(
        ["acc", "ce"], output_names=["fc_output"], label_names=["softmax_label"]
    )
    (label,) = arrays(mx, [0, 1])
    good, bad = arrays(mx, [[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.8, 0.2]])
    labels = {"other_label": label, "softmax_label": label}
    both.update_dict(labels, {"fc_output": good, "other_output": bad})
    return [both.get(), both.get_name_value(), both.get_global()]


def nested(mx):
    inner = mx.metric.create(["acc", "ce"])
    outer = mx.metric.CompositeEvalMetric([inner, mx.metric.create("f1")], name="outer")
    outer.add("mcc")
    outer.add(mx.metric.CompositeEvalMetric())
    outer.update(
        arrays(mx, [0, 1, 1, 0]), arrays(mx, [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.2, 0.8]])
    )
    outer.reset_local()
    outer.update(arrays(mx, [0, 1]), arrays(mx, [[0.9, 0.1], [0.6, 0.4]]))
    return [
        outer.name, outer.get(), outer.get_name_value(), outer.get_global_name_value(),
        outer.get_metric(1).name,
    ]  # fmt: skip


def functions(mx):
    def distance(label, pred):
        return float(abs(label - pred).sum())

    def pair(label, pred):
        return float(abs(label - pred).sum()), label.size

    found = []
    for metric in (
        mx.metric.create(distance),
        mx.metric.create(pair),
        mx.metric.create(lambda label, pred: 3),
        mx.metric.np(distance, name="far"),
        mx.metric.CustomMetric(pair, name="custom"),
        mx.metric.create([distance, "mse", pair]),
    ):
        for _ in range(2):
            metric.update(arrays(mx, [1, 2], [3, 4]), arrays(mx, [1, 1], [5, 6]))
        metric.reset_local()
        metric.update(arrays(mx, [1, 2]), arrays(mx, [0, 0]))
        found.append([metric.name, metric.get(), metric.get_global()])
    return found


def several_for_function(mx):
    metric = mx.metric.np(lambda label, pred: label.sum() + pred.sum(), "all", True)
    metric.update(arrays(mx, [1, 2]), arrays(mx, [3, 4], [5, 6]))
    return [metric.get(), metric.num_inst]


def created(mx):
    create = mx.metric.create
    made = [
        create("top_k_accuracy", top_k=2), create("acc", axis=2, name="x"), create("f1", "mine"),
        create("perplexity", 3, axis=1), create(["acc", "acc"], axis=3),
    ]  # fmt: skip
    return [[metric.name, repr(sorted(metric.get_config().items()))] for metric in made]


def from_config(mx):
    metric = mx.metric.create("accuracy", axis=2)
    again = mx.metric.create(metric.get_config().pop("metric"), axis=2)
    listed = mx.metric.create('["accuracy", {"axis": 3}]')
    return [again.axis, listed.axis]


def subclass(mx):
    class Last(mx.metric.EvalMetric):
        def __init__(self):
            super().__init__("last", extra=3)

        def update(self, labels, preds):
            self.sum_metric += float(preds[-1].asnumpy().ravel()[-1])
            self.num_inst += 1

    class Both(mx.metric.EvalMetric):
        def __init__(self):
            super().__init__("both", has_global_stats=True)

        def update(self, labels, preds):
            for part in ("", "global_"):
                total = getattr(self, part + "sum_metric") + 2.0
                setattr(self, part + "sum_metric", total)
                setattr(self, part + "num_inst", getattr(self, part + "num_inst") + 1)

    class Names(mx.metric.EvalMetric):
        def __init__(self):
            super().__init__("names")

        def update(self, labels, preds):
            pass

        def get(self):
            return ["one", "two"], [1.0, 2.0]

    found = []
    for metric in (Last(), Both(), Names(), mx.metric.CompositeEvalMetric([Last(), Names()])):
        for _ in range(3):
            metric.update(None, arrays(mx, [1, 2], [[3, 4], [5, 6]]))
        metric.reset_local()
        metric.update(None, arrays(mx, [7]))
        found.append([metric.get(), metric.get_name_value(), metric.get_global_name_value()])
        metric.reset()
        found.append([metric.get(), str(metric)])
    found.append(repr(sorted(Last().get_config().items())))
    return found


def resets(mx):
    found = []
    for name, options in (
        ("F1", {"average": "micro"}), ("F1", {}), ("MCC", {}), ("MCC", {"average": "micro"}),
        ("PCC", {}), ("Perplexity", {"ignore_label": None}), ("PearsonCorrelation", {}),
        ("RMSE", {}), ("TopKAccuracy", {"top_k": 1 + 1}),
    ):  # fmt: skip
        metric = getattr(mx.metric, name)(**options)
        for step in range(5):
            if step == 2:
                metric.reset_local()
            if step == 4:
                metric.reset()
            random = onp.random.RandomState(step)
            labels, preds = random.randint(0, 2, 6), random.rand(6, 2)
            if name in ("PearsonCorrelation", "RMSE"):
                preds = preds[:, 0]
            else:
                preds = preds / preds.sum(1, keepdims=True)
            metric.update(arrays(mx, labels), arrays(mx, preds))
            found.append([name, metric.get()[1], metric.get_global()[1]])
    return found


def shapes(mx):
    nd = mx.nd
    found = []
    accuracy = mx.metric.Accuracy()
    accuracy.update(nd.array([0, 1]), nd.array([[0.9, 0.1], [0.6, 0.4]]))
    accuracy.update([nd.array([[0], [1]])], [nd.array([[0.9, 0.1], [0.6, 0.4]])])
    accuracy.update([nd.array([0, 1])], [nd.array([0, 1])])
    accuracy.update([nd.array([[[0, 1]]])], [nd.array([[[[0.3, 0.4]], [[0.7, 0.3]]]])])
    found.append([accuracy.get(), accuracy.num_inst])
    top = mx.metric.TopKAccuracy(top_k=2)
    top.update([nd.array([0, 1])], [nd.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3]])])
    top.update([nd.array([0, 1])], [nd.array([0, 2])])
    top.update([nd.array([0, 1])], [nd.array([[0.6, 0.4], [0.9, 0.1]])])
    found.append([top.name, top.get(), top.num_inst])
    mse = mx.metric.MSE()
    mse.update([nd.array([1, 2])], [nd.array([[1], [4]])])
    mse.update([nd.array([[1], [2]])], [nd.array([0, 0])])
    mse.update([nd.ones((2, 3))], [nd.zeros((2, 3))])
    found.append([mse.get(), mse.num_inst])
    perplexity = mx.metric.Perplexity(ignore_label=0)
    probabilities = nd.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1], [0.3, 0.7]])
    perplexity.update([nd.array([[0, 1], [1, 1]])], [probabilities])
    perplexity.update([nd.array([0, 0])], [nd.array([[0.2, 0.8], [0.5, 0.5]])])
    found.append([perplexity.get(), perplexity.num_inst])
    loss = mx.metric.Loss()
    loss.update(None, nd.array([[1, 2], [3, 4]]))
    loss.update(nd.ones(3), [nd.array([5])])
    found.append([loss.get(), loss.num_inst])
    return found


def dtypes(mx):
    nd = mx.nd
    found = []
    for label, pred in (("int32", "float16"), ("int64", "float64"), ("float64", "float32")):
        for name in ("acc", "ce", "f1"):
            metric = mx.metric.create(name)
            scores = nd.array([[0.75, 0.25], [0.5, 0.5], [0.125, 0.875]], dtype=pred)
            metric.update([nd.array([0, 1, 1], dtype=label)], [scores])
            found.append([name, round(float(metric.get()[1]), 3)])
    return found


def confusion(mx):
    pcc = mx.metric.PCC()
    found = []
    for classes in (2, 3, 5, 4):
        random = onp.random.RandomState(classes)
        pcc.update(arrays(mx, random.randint(0, classes, 9)), arrays(mx, random.rand(9, classes)))
        found.append(pcc.get())
    pcc.reset_local()
    found.append(pcc.get())
    found.append(pcc.get_global())
    return found


def two_labels(mx):
    found = []
    for name in ("f1", "mcc"):
        for other in (0, -1, 2, 7):
            metric = mx.metric.create(name)
            metric.update(arrays(mx, [1, other, 1]), arrays(mx, [[0, 1], [1, 0], [1, 0]]))
            found.append([name, other, metric.get()])
    return found


def refusals(mx):
    m, nd = mx.metric, mx.nd
    calls = [
        lambda: m.create("bogus"),
        lambda: m.create(3),
        lambda: m.create("acc").update([nd.ones(2)], [nd.ones(2), nd.ones(2)]),
        lambda: m.create("acc").update([nd.ones(3)], [nd.ones((2, 2))]),
        lambda: m.create("ce").update([nd.ones(3)], [nd.ones((2, 2))]),
        lambda: m.create("f1").update([nd.array([0, 1, 2])], [nd.ones((3, 2))]),
        lambda: m.create("mse").update([nd.ones(3)], [nd.ones((2, 2))]),
        lambda: m.TopKAccuracy(1),
        lambda: m.Perplexity(None).update([nd.ones(3)], [nd.ones((2, 2))]),
        lambda: m.np(lambda label, pred: 1).get_config(),
        lambda: m.np(lambda label, pred: 1).update([nd.ones(1)], [nd.ones(1)] * 2),
        lambda: m.EvalMetric("x").update(None, None),
        lambda: m.register(int),
        lambda: m.Accuracy(output_names=["o"]).update_dict({}, {}),
    ]
    found = []
    for call in calls:
        try:
            call()
            found.append("nothing")
        except Exception as error:  # noqa: BLE001 - listed
            found.append([kind.__name__ for kind in type(error).__mro__])
    return found


def run(mx):
    """Return what each program returns, as JSON has it."""
    return {title: plain(program(mx)) for title, program in cases()}


def plain(value):
    """Return nested results as lists; numbers as text with six digits."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, onp.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "nan" if math.isnan(value) else f"{value:.5g}"
    return value
