"""Updates of several weights in graphs: what MXNet 1.9.1 lists and writes of them."""

from __future__ import annotations

import json

import pytest

from gluonish import cpu, nd, sym

RATES = {"lrs": (0.1, 0.2), "wds": (0, 0.1)}
# Operator, its arguments, how many arrays there are for each weight, and beside, and which are
# states, as MXNet lists them.
ROWS = [
    ("multi_sgd_update", RATES, 2, 0, []),
    ("multi_sgd_mom_update", RATES | {"momentum": 0.9}, 3, 0, [2, 5]),
    ("multi_mp_sgd_update", RATES, 3, 0, [2, 5]),
    ("multi_mp_sgd_mom_update", RATES | {"momentum": 0.9}, 4, 0, [2, 3, 6, 7]),
    ("preloaded_multi_sgd_update", {}, 2, 2, []),
    ("preloaded_multi_sgd_mom_update", {"momentum": 0.9}, 3, 2, [2, 5]),
    ("preloaded_multi_mp_sgd_update", {}, 3, 2, [2, 5]),
    ("preloaded_multi_mp_sgd_mom_update", {"momentum": 0.9}, 4, 2, [2, 3, 6, 7]),
]


def graph(name, options, each, beside):
    names = [f"v{place}" for place in range(2 * each + beside)]
    made = getattr(sym, name)(*map(sym.var, names), num_weights=2, name="u", **options)
    return made, names


@pytest.mark.parametrize(("name", "options", "each", "beside", "states"), ROWS)
def test_states_of_several_weights_are_auxiliary(name, options, each, beside, states):
    made, names = graph(name, options, each, beside)
    for found in (made, sym.load_json(made.tojson())):
        assert found.list_outputs() == ["u_output0", "u_output1"]
        assert found.list_auxiliary_states() == [names[place] for place in states]
        assert found.list_arguments() == [n for p, n in enumerate(names) if p not in states]
    written = json.loads(made.tojson())
    node = written["nodes"][-1]
    texts = {key: str(value) for key, value in options.items()}
    assert node["attrs"] == {"num_weights": "2", **texts}
    assert node["inputs"] == [[place, 0, int(place in states)] for place in range(len(names))]
    assert written["heads"] == [[len(names), 0, 0], [len(names), 1, 0]]


@pytest.mark.parametrize(("name", "options", "each", "beside", "states"), ROWS)
def test_a_graph_updates_several_weights_as_the_function_does(name, options, each, beside, states):
    made, names = graph(name, options, each, beside)
    is_half = "_mp_" in name
    arrays = {}
    for place, key in enumerate(names):
        if place >= 2 * each:
            arrays[key] = nd.array([0.1, 0.3])
            continue
        low = is_half and place % each < 2
        arrays[key] = nd.random.normal(shape=(2 + place // each,)).astype(
            "float16" if low else "float32"
        )
    copies = [array.copy() for array in arrays.values()]
    wanted = getattr(nd, name)(*copies, num_weights=2, **options)
    executor = made.bind(
        cpu(),
        {n: a for p, (n, a) in enumerate(arrays.items()) if p not in states},
        aux_states={names[place]: arrays[names[place]] for place in states},
    )
    for found, expected in zip(executor.forward(), wanted, strict=True):
        assert found.dtype == expected.dtype
        assert found.asnumpy().tolist() == expected.asnumpy().tolist()
    for place in states:
        assert arrays[names[place]].asnumpy().tolist() == copies[place].asnumpy().tolist()
