"""How many channels the layers of a program's own Block have, as its constructor says."""

from __future__ import annotations

import ast

from gluonish.errors.program_text import of_file
from gluonish.errors.tracebacks import users_frame


def channels_of_block(otherwise: object) -> str:
    """Return how the Block that runs writes the channels of its last convolution, or a number.

    Parameters
    ----------
    otherwise : object
        What stands there where no Block of the program runs, or its convolutions take a number.

    Examples
    --------
    >>> from gluonish.errors.program_layers import channels_of_block
    >>> channels_of_block(32)
    '32'
    """
    _, frame = users_frame()
    block = None if frame is None else frame.f_locals.get("self")
    tree = None if frame is None or block is None else of_file(frame.f_code.co_filename)
    found = str(otherwise)
    nodes = [*ast.walk(tree)] if tree is not None else []
    classes = [one for one in nodes if isinstance(one, ast.ClassDef)]
    for node in (n for c in classes if c.name == type(block).__name__ for n in ast.walk(c)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
            is_layer = ast.unparse(node.func).rpartition(".")[2].startswith("Conv")
            found = node.args[0].id if is_layer else found
    return found
