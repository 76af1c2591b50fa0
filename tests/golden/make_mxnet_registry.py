"""Write what operators the real MXNet 1.9.1 has, with their arguments, inputs and outputs.

Run from the repository's root under a Python that has MXNet 1.9.1; writes mxnet_registry.json.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
from pathlib import Path

import mxnet as mx
from mxnet.base import _LIB, MXNetError, c_str, c_str_array, check_call, py_str

# Values that an argument without default, or of a name, is tried with.
SAMPLES = {
    "int": "2", "int (non-negative)": "2", "long": "2", "long (non-negative)": "2",
    "float": "0.5", "double": "0.5", "boolean": "True", "string": "x",
    "Shape(tuple)": "(2, 2)", "tuple of <float>": "(0.5,)",
}  # fmt: skip
COUNTS = ("0", "1", "2", "3")
# Arguments that operators need although they have defaults, or that no parameter names.
NEEDED = {
    "Pooling": {"kernel": "(2, 2)"},
    "Pooling_v1": {"kernel": "(2, 2)"},
    "_linspace": {"stop": "3", "num": "3"},
    "RNN": {"mode": "rnn_tanh"},
    "LeakyReLU": {"act_type": "leaky"},
}


def handles():
    """Yield the names of all operators with the handles of these."""
    size, found = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(size), ctypes.byref(found)))
    for name in sorted(py_str(found[i]) for i in range(size.value)):
        handle = ctypes.c_void_p()
        check_call(_LIB.NNGetOpHandle(c_str(name), ctypes.byref(handle)))
        yield name, handle


def info(handle):
    """Return an operator's name, key of a variable number of inputs, inputs and arguments."""
    name, key, result, text = (ctypes.c_char_p() for _ in range(4))
    count = ctypes.c_uint()
    names, types, docs = (ctypes.POINTER(ctypes.c_char_p)() for _ in range(3))
    check_call(
        _LIB.MXSymbolGetAtomicSymbolInfo(
            handle, ctypes.byref(name), ctypes.byref(text), ctypes.byref(count),
            ctypes.byref(names), ctypes.byref(types), ctypes.byref(docs), ctypes.byref(key),
            ctypes.byref(result),
        )
    )  # fmt: skip
    inputs, arguments = [], {}
    for i in range(count.value):
        kind = py_str(types[i])
        if kind.startswith(("NDArray", "Symbol", "ndarray-or-symbol", "NDArray-or-Symbol")):
            inputs.append(py_str(names[i]))
        else:
            arguments[py_str(names[i])] = parse(kind)
    return py_str(name.value), py_str(key.value), inputs, arguments


def parse(kind):
    """Return [type, default], or [type] where there is none; a choice is the list of its words."""
    found = re.fullmatch(r"(.*?), ?(?:(required)|optional, ?default=(.*))", kind, re.DOTALL)
    kind, required, default = found.groups() if found else (kind, "required", None)
    choices = re.match(r"\{(.*?)\}", kind)
    if choices:
        kind = sorted(re.findall(r"'([^']*)'", choices.group(1)))
        if "None" in choices.group(1) and "None" not in kind:
            kind.append("None")
    if required:
        return [kind]
    return [kind, default.strip("'") if default is not None else None]


def atomic(handle, attrs, inputs=()):
    """Return a symbol of the operator, whose inputs are made automatically if none are given."""
    symbol = ctypes.c_void_p()
    check_call(
        _LIB.MXSymbolCreateAtomicSymbol(
            handle, ctypes.c_uint(len(attrs)), c_str_array(list(attrs)),
            c_str_array(list(attrs.values())), ctypes.byref(symbol),
        )
    )  # fmt: skip
    found = mx.sym.Symbol(symbol)
    given = [mx.sym.var(f"n_{name}") for name in inputs]
    them = (ctypes.c_void_p * len(given))(*(each.handle for each in given))
    check_call(
        _LIB.MXSymbolCompose(found.handle, c_str("n"), ctypes.c_uint(len(given)), None, them)
    )
    return found


def look(handle, attrs, inputs=()):
    """Return inputs, updated inputs and outputs with these arguments; None if refused.

    This happens in a process of its own, which some arguments end.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writer, "w") as stream:
            json.dump(names(handle, attrs, inputs), stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def names(handle, attrs, inputs):
    """Return inputs, updated inputs and outputs with these arguments; None if refused."""
    try:
        symbol = atomic(handle, attrs, inputs)
        found = [symbol.list_inputs(), symbol.list_auxiliary_states(), symbol.list_outputs()]
    except MXNetError:
        return None
    return [[name[2:] if name.startswith("n_") else name for name in each] for each in found]


def sample(kind):
    """Return a value of a type."""
    if isinstance(kind, list):
        return kind[0]
    return SAMPLES.get(kind.split(" or ")[0].strip(), "2")


def variants(handle, key, inputs, arguments):
    """Return the base and what differs from it by one argument."""
    base = {name: sample(given[0]) for name, given in arguments.items() if len(given) == 1}
    base.update(NEEDED.get(info(handle)[0], {}))
    if key:
        base[key] = "2"
    found = look(handle, base)
    if found is None:  # it makes no inputs itself
        return base, look(handle, base, inputs), []
    different = []
    for name, given in arguments.items():
        for value in tries(given[0]):
            other = look(handle, {**base, name: value})
            if other is not None and other != found and base.get(name) != value:
                different.append([{name: value}, *other])
    return base, found, different


def tries(kind):
    """Return values of a type that may change inputs and outputs."""
    if isinstance(kind, list):
        return kind
    if kind.startswith("boolean"):
        return ["True", "False"]
    if kind.startswith("int"):
        return COUNTS
    if "Shape" in kind:
        return ["()", "(1,)", "(1, 2, 3)"]
    return []


def main():
    """Write the registry."""
    registry, aliases = {}, {}
    for name, handle in handles():
        canonical, key, inputs, arguments = info(handle)
        if name != canonical:
            aliases[name] = canonical
            continue
        if name.startswith("_backward"):
            continue
        base, found, different = variants(handle, key, inputs, arguments)
        registry[name] = {"arguments": arguments, "inputs": inputs}
        if key:
            registry[name]["count"] = key
        if found is not None:
            registry[name].update(zip(("made", "aux", "outputs"), found, strict=True))
            registry[name]["base"] = base
            if different:
                registry[name]["variants"] = different
    text = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(registry.items()))
    target = Path(__file__).with_name("mxnet_registry.json")
    start = f'{{"aliases": {json.dumps(aliases)},\n"operators": {{\n'
    target.write_text(f"{start}{text}\n}}}}\n")


if __name__ == "__main__":
    main()
