"""Arguments of operators that are one of a few words: graphs refuse others where they are made."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import gluonish as mx
from gluonish.errors import InvalidArgumentError
from gluonish.symbol.frontend import BY_FILE

REGISTRY = Path(__file__).parents[1] / "golden" / "mxnet_registry.json"
# The words of `np`'s functions, which NumPy has more of, are looked at when a graph runs.
ELSEWHERE = {"_npi_pad", "_npi_percentile"}


def choices():
    """Yield operators of MXNet, with their arguments that are words, but for names of dtypes."""
    for name, facts in json.loads(REGISTRY.read_text())["operators"].items():
        for argument, (kind, *_) in facts["arguments"].items():
            if isinstance(kind, list) and not {"float32", "int32"} & set(kind):
                words = tuple(word for word in kind if word not in (None, "None"))
                if name not in ELSEWHERE:
                    yield name, argument, words


@pytest.mark.parametrize(("name", "argument", "words"), list(choices()))
def test_cards_have_the_words_that_mxnet_has(name, argument, words):
    op = BY_FILE[name][0]
    known = op.choices[op.attributes.get(argument, argument)]
    assert set(words) <= set(known)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda x: mx.sym.Pooling(x, kernel=(2, 2), pool_type="average"), "mean 'avg'"),
        (lambda x: mx.sym.Activation(x, act_type="ReLU"), "Expected one of 'relu', 'sigmoid'"),
        (lambda x: mx.sym.Activation(x, act_type=mx.nd.relu), "given by its name"),
        (lambda x: mx.sym.Convolution(x, kernel=3, num_filter=2, layout="HWC"), "mean 'NHWC'"),
        (lambda x: mx.sym.topk(x, ret_typ="values"), "mean 'value'"),
        (lambda x: mx.sym.take(x, x, mode="wrong"), "Expected one of 'clip', 'raise', 'wrap'"),
        (lambda x: mx.sym.softmax(x, dtype="float33"), "dtype 'float33'"),
    ],
)
def test_another_word_is_refused_where_a_symbol_is_made(make, message):
    with pytest.raises((InvalidArgumentError, TypeError), match=re.escape(message)):
        make(mx.sym.var("x"))


def test_words_are_read_in_files_as_before():
    made = mx.sym.Pooling(mx.sym.var("x"), kernel=(2, 2), pool_type="lp", p_value=2, layout=None)
    assert mx.sym.load_json(made.tojson()).tojson() == made.tojson()
