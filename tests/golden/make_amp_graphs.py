"""Write amp_graphs.json: graphs that convert_symbol makes, by the real MXNet 1.9.1.

Run with `python tests/golden/make_amp_graphs.py` where mxnet==1.9.1 and numpy<1.24 are installed.
Each graph is told by its nodes without the casts: for each input the dtype to which it is cast.
"""

from __future__ import annotations

import json
from pathlib import Path

from mxnet import sym
from mxnet.contrib import amp

GRAPHS = {
    "net": """
x = sym.Convolution(sym.var('data'), name='conv', num_filter=4, kernel=(3, 3))
x = sym.Activation(sym.BatchNorm(x, name='bn'), act_type='relu', name='relu')
x = sym.FullyConnected(sym.Flatten(x, name='flat'), num_hidden=3, name='fc')
y = sym.softmax(sym.elemwise_add(x, sym.var('b'), name='sum'), name='sm')
""",
    "shared": """
a = sym.var('a')
x = sym.FullyConnected(a, a, no_bias=True, num_hidden=2, name='f')
y = x + sym.FullyConnected(a, sym.exp(a, name='e'), no_bias=True, num_hidden=2, name='g')
""",
    "joined": """
x = sym.FullyConnected(sym.var('x'), num_hidden=2, name='f')
y = sym.stack(x, sym.exp(x, name='e'), sym.var('z'), name='c')
""",
    "numbers": """
x = sym.FullyConnected(sym.var('x'), num_hidden=2, name='f')
y = sym.elemwise_mul(sym._internal._plus_scalar(x, scalar=1, name='plus'), sym.var('q'), name='t')
""",
    "loss": """
x = sym.FullyConnected(sym.var('x'), num_hidden=2, name='f')
y = sym.SoftmaxOutput(x, sym.var('label'), name='so')
""",
    "several": """
x = sym.FullyConnected(sym.var('x'), num_hidden=2, name='f')
y = sym.Group([x, sym.exp(x, name='e')])
""",
    "ids": """
x = sym.Embedding(sym.var('ids'), input_dim=4, output_dim=3, name='em')
y = sym.FullyConnected(x, num_hidden=2, name='f')
""",
}
OPTIONS = [
    {},
    {"target_dtype": "bfloat16"},
    {"cast_optional_params": True},
]
MORE = [
    ("net", {"excluded_sym_names": ["conv"]}),
    ("net", {"target_dtype_ops": ["softmax"], "fp32_ops": ["FullyConnected"]}),
    ("net", {"conditional_fp32_ops": [("Activation", "act_type", ["relu"])]}),
    ("net", {"data_names": ["data", "b", "fc_weight"], "cast_optional_params": True}),
    ("loss", {"data_names": ["x", "label"], "cast_optional_params": True}),
]


def told(symbol):
    """Return what a graph consists of."""
    graph = json.loads(symbol.tojson(remove_amp_cast=False))
    nodes = graph["nodes"]

    def source(entry):
        node = nodes[entry[0]]
        if node["op"] == "amp_cast":
            return f"{source(node['inputs'][0])} as {node['attrs']['dtype']}"
        if node["op"] == "amp_multicast":
            return f"{source(node['inputs'][entry[1]])} as widest"
        return node["name"]

    found = {
        node["name"]: [node["op"], [source(entry) for entry in node["inputs"]]]
        for node in nodes
        if node["op"] not in ("null", "amp_cast", "amp_multicast")
    }
    dtypes = {
        node["name"]: int(node["attrs"]["__dtype__"])
        for node in nodes
        if node["op"] == "null" and int(node.get("attrs", {}).get("__dtype__", 0))
    }
    return {"nodes": found, "dtypes": dtypes, "heads": [source(head) for head in graph["heads"]]}


def main():
    """Write the file."""
    rows = []
    for name, options in [*((n, o) for n in GRAPHS for o in OPTIONS), *MORE]:
        names = {"sym": sym}
        exec(GRAPHS[name], names)
        rows.append([name, options, told(amp.convert_symbol(names["y"], **options))])
    text = json.dumps({"graphs": GRAPHS, "rows": rows})
    (Path(__file__).parent / "amp_graphs.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
