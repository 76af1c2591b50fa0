"""mx.onnx.export_model: every operator that MXNet's own exporter writes, draws and detectors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import ConversionError, ExportError
from tests.onnx.written import ROWS

pytest.importorskip("onnxscript")
runtime = pytest.importorskip("onnxruntime")

NAMES = json.loads((Path(__file__).parents[1] / "golden" / "onnx_names.json").read_text())
PARTS = 12  # of the table; each is one graph
DRAWN = "outputs that are drawn have the same shape, type and distribution in 32 runs"


def graph(rows):
    """Return a graph of rows, its parameters and the shapes of its inputs."""
    outputs, params, shapes = [], {}, []
    for number, (_, expression, given) in enumerate(rows):
        names = {"S": mx.sym, "C": mx.sym.contrib, "I": mx.sym._internal}
        inputs = []
        for name, value in given.items():
            names[name] = mx.sym.Variable(f"{name}{number}")
            if isinstance(value, list):
                params[f"{name}{number}"] = mx.nd.array(value)
            else:
                inputs.append((f"{name}{number}", value))
        symbol = eval(expression, names)
        order = symbol.list_inputs()
        shapes += sorted(inputs, key=lambda pair: order.index(pair[0]))
        outputs.append(symbol)
    return mx.sym.Group(outputs), params, [shape for _, shape in shapes]


def exported(symbol, params, shapes, tmp_path, **options):
    return mx.onnx.export_model(
        symbol, params, shapes, onnx_file_path=tmp_path / "m.onnx", verbose=True, **options
    )


def run(file, *data):
    session = runtime.InferenceSession(file)
    return session.run(
        None, {each.name: one for each, one in zip(session.get_inputs(), data, strict=True)}
    )


def test_the_table_has_what_mxnets_exporter_writes():
    assert {name for name, *_ in ROWS} == set(NAMES)
    assert len(NAMES) == 149


@pytest.mark.parametrize("part", range(PARTS))
def test_what_mxnets_exporter_writes_is_written(part, tmp_path, caplog):
    exported(*graph(ROWS[part::PARTS]), tmp_path)
    assert "by onnx.checker and onnxruntime" in caplog.text


BOXES = [
    "topk=30, overlap_thresh=0.3",
    "id_index=0, background_id=1",
    "id_index=0, force_suppress=True, valid_thresh=0.4",
    "in_format='corner', out_format='center', id_index=0, overlap_thresh=0.2",
]


def boxes(batch, count, seed):
    """Return rows of class, score and corners, many of which overlap; some scores are equal."""
    random = onp.random.RandomState(seed)
    low = random.rand(batch, count, 2) * 2
    parts = [
        random.randint(0, 3, (batch, count, 1)),
        random.randint(-10, 90, (batch, count, 1)) / 100,
        low,
        low + random.rand(batch, count, 2),
    ]
    return onp.concatenate(parts, 2).astype("float32")


@pytest.mark.parametrize("options", BOXES)
def test_boxes_are_suppressed_alike(options, tmp_path):
    symbol = eval(f"mx.sym.contrib.box_nms(mx.sym.Variable('data'), {options})", {"mx": mx})
    file = exported(symbol, {}, [(2, 200, 6)], tmp_path, dynamic=True)
    for batch in (1, 4):
        data = boxes(batch, 200, batch)
        expected = symbol.eval(data=mx.nd.array(data))[0].asnumpy()
        assert 10 < (expected[..., 1] >= 0).sum() / batch < 190
        (found,) = run(file, data)
        onp.testing.assert_allclose(found, expected, rtol=1e-6)


PROPOSALS = (
    "scales=(2, 4), ratios=(1, 2), rpn_pre_nms_top_n=20, rpn_post_nms_top_n=5, rpn_min_size=1, "
    "output_score=True"
)
DETECTORS = [
    ("C.box_iou(x, y, format='center')", {"x": (2, 5, 4), "y": (3, 4)}),
    ("C.MultiBoxPrior(x, sizes=(0.5, 0.3), ratios=(1, 2), clip=True)", {"x": (2, 3, 4, 5)}),
    (
        "C.MultiBoxTarget(a, x, p, negative_mining_ratio=2)",
        {"a": (1, 6, 4), "x": (2, 3, 5), "p": (2, 4, 6)},
    ),
    (
        "C.MultiBoxDetection(S.softmax(x, axis=1), o, a)",
        {"x": (2, 4, 6), "o": (2, 24), "a": (1, 6, 4)},
    ),
    ("C.bipartite_matching(x, threshold=1e-3, topk=2)", {"x": (2, 4, 3)}),
    (
        f"C.MultiProposal(S.softmax(x, axis=1), o, i, {PROPOSALS})",
        {"x": (2, 8, 4, 4), "o": (2, 16, 4, 4), "i": [[64, 64, 1], [60, 64, 1]]},
    ),
    (
        "C.RROIAlign(x, r, pooled_size=(2, 2), spatial_scale=0.5, sampling_ratio=2)",
        {"x": (2, 3, 8, 8), "r": [[0, 4, 4, 8, 8, 30], [1, 6, 6, 9, 5, 0]]},
    ),
    (
        "C.PSROIPooling(x, r, output_dim=2, pooled_size=2, spatial_scale=0.5)",
        {"x": (2, 8, 8, 8), "r": [[0, 0, 0, 8, 8], [1, 2, 3, 9, 12]]},
    ),
    (
        "C.DeformableConvolution(x, o, w, num_filter=4, kernel=(3, 3), pad=(1, 1), no_bias=True)",
        {"x": (2, 4, 6, 6), "o": (2, 18, 6, 6), "w": onp.ones((4, 4, 3, 3)).tolist()},
    ),
]


@pytest.mark.parametrize("part", range(3))
def test_detectors_are_written(part, tmp_path, caplog):
    exported(*graph([("", *row) for row in DETECTORS[part::3]]), tmp_path)
    assert "outputs equal" in caplog.text


DRAWS = [
    ("S.random.normal(loc=2, scale=3, shape=(2, 3)) + x", {"x": (2, 3)}),
    ("S.random.exponential_like(x, lam=2)", {"x": (2, 3)}),
    ("S.sample_uniform(x, x + 2, shape=2)", {"x": (2, 3)}),
    ("S.sample_normal(x, S.abs(x) + 1, shape=2)", {"x": (2, 3)}),
    ("S.sample_multinomial(S.softmax(x), shape=2, get_prob=True)", {"x": (2, 3)}),
    ("S.random.randint(-5, 2**40, shape=(2, 3), dtype='int64') + 0 * S.Cast(x, dtype='int64')",
     {"x": (2, 3)}),
    ("S.random.shuffle(x)", {"x": (9, 2)}),
    ("S.Dropout(x, mode='always', p=0.4)", {"x": (5, 6)}),
    ("S.np.random.choice(5, (3,), False).as_nd_ndarray() + x", {"x": (3,)}),
    ("S.np.random.normal(x.as_np_ndarray(), S.abs(x).as_np_ndarray()).as_nd_ndarray()",
     {"x": (2, 3)}),
    ("S.np.random.gumbel(x.as_np_ndarray(), 1.0).as_nd_ndarray()", {"x": (2, 3)}),
]  # fmt: skip


@pytest.mark.parametrize("part", range(2))
def test_draws_are_written_and_compared_by_their_distributions(part, tmp_path, caplog):
    exported(*graph([("", *row) for row in DRAWS[part::2]]), tmp_path)
    assert DRAWN in caplog.text


def test_draws_are_new_in_each_run_and_of_their_range(tmp_path):
    symbol = mx.sym.random.uniform_like(mx.sym.Variable("data"), low=2, high=5)
    file = exported(symbol, {}, [(2, 500)], tmp_path, dynamic=True)
    data = onp.zeros((4, 500), "float32")
    session = runtime.InferenceSession(file)
    one, other = (session.run(None, {"data": data})[0] for _ in range(2))
    assert one.shape == (4, 500)
    assert (one != other).mean() > 0.9
    assert 2 <= one.min() < 2.1
    assert 4.9 < one.max() <= 5
    assert abs(one.mean() - 3.5) < 0.2


def test_outcomes_are_drawn_by_their_probabilities(tmp_path):
    symbol = mx.sym.sample_multinomial(mx.sym.Variable("data"), shape=2000)
    file = exported(symbol, {}, [(2, 3)], tmp_path)
    (found,) = run(file, onp.array([[0.1, 0, 0.9], [0.3, 0.3, 0.4]], "float32"))
    shares = [(found == outcome).mean(1) for outcome in range(3)]
    onp.testing.assert_allclose(onp.transpose(shares), [[0.1, 0, 0.9], [0.3, 0.3, 0.4]], atol=0.06)


def test_draws_of_another_distribution_are_not_written(tmp_path, monkeypatch):
    symbol = mx.sym.random.uniform_like(mx.sym.Variable("data"))
    runs = runtime.InferenceSession.run
    monkeypatch.setattr(
        runtime.InferenceSession, "run", lambda *given: [x * 2 for x in runs(*given)]
    )
    text = r"32 runs.*drawn for the output 'uniform_like\d+_output' is distributed otherwise"
    with pytest.raises(ConversionError, match=text):
        exported(symbol, {}, [(2, 50)], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_samplers_that_onnx_lacks_are_named(tmp_path):
    data = mx.sym.Variable("data")
    symbol = mx.sym.random.poisson_like(data, name="counts") + mx.sym.random.poisson(shape=(2, 3))
    names = r"counts \(_random_poisson_like\), _random_poisson\d+ \(_random_poisson\)"
    text = (
        rf"onnx has no operator for what {names} computes.*input of the graph, or convert --to pt2"
    )
    with pytest.raises(ConversionError, match=text):
        exported(symbol, {}, [(2, 3)], tmp_path)
    classes = mx.sym._internal._sample_unique_zipfian(range_max=50, shape=(2, 3))
    with pytest.raises(ExportError, match=r"being exported.*until it has 3 different classes"):
        exported(mx.sym.Group([classes, data + 0]), {}, [(2, 3)], tmp_path)
