"""Write the parameters of every function of np and np.linalg of the real MXNet 1.9.1.

Run from the repository's root under a Python that has MXNet 1.9.1; writes np_signatures.json.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from mxnet import np


def parameters(function):
    """Return names and defaults of what can be passed by name."""
    found = inspect.signature(function).parameters.values()
    named = [each for each in found if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return [[each.name, repr(each.default)] for each in named]


def main():
    """Collect functions, then methods, whose signatures can be read."""
    result = {}
    spaces = (("", np), ("linalg.", np.linalg), ("ndarray.", np.ndarray))
    for prefix, space in spaces:
        for name in sorted(dir(space)):
            function = getattr(space, name)
            if name.startswith("_") or inspect.isclass(function) or not callable(function):
                continue
            try:
                found = parameters(function)
            except ValueError:
                continue
            if found and found != [["self", "<class 'inspect._empty'>"]]:
                result[prefix + name] = found
    target = Path(__file__).with_name("np_signatures.json")
    target.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
