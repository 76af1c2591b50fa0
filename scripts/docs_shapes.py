"""Keeps stars in shapes, as in `data (*) -> (*, units)`, from being emphasis in the docs."""

from __future__ import annotations

import re

import griffe
from typing_extensions import override

_SECTION = re.compile(r"^[A-Z][A-Za-z ]+\n-{3,}$", re.MULTILINE)
_STAR = re.compile(r"(?<=[(, ])\*(?=[,) ])")


class Shapes(griffe.Extension):
    """Escapes single stars in the text before a docstring's first section."""

    @override
    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            text = obj.docstring.value
            found = _SECTION.search(text)
            end = found.start() if found else len(text)
            obj.docstring.value = _STAR.sub(r"\*", text[:end]) + text[end:]
