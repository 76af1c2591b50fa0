"""What people bring along from PyTorch, Keras and NumPy: their words, and ours for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gluonish.errors.habits.attributes import ATTRIBUTES, SEALED
    from gluonish.errors.habits.calls import CALLS
    from gluonish.errors.habits.elsewhere import ELSEWHERE
    from gluonish.errors.habits.keywords import COUNTED_OTHERWISE, KEYWORDS, OF_OPERATORS, POSITIONS
    from gluonish.errors.habits.missing_keywords import SENTENCES
    from gluonish.errors.habits.missing_names import ANYWHERE, NAMES
    from gluonish.errors.habits.optimizer_keywords import FOR_OPTIMIZERS, OF_OPTIMIZERS
    from gluonish.errors.habits.rarer_names import LAYERS_OF_FUNCTIONS, RARER
    from gluonish.errors.habits.values import VALUES

# Imported when somebody errs.
_LATE_NAMES = {
    "gluonish.errors.habits.attributes": (
        "ATTRIBUTES",
        "SEALED",
    ),
    "gluonish.errors.habits.calls": ("CALLS",),
    "gluonish.errors.habits.elsewhere": ("ELSEWHERE",),
    "gluonish.errors.habits.keywords": (
        "COUNTED_OTHERWISE",
        "KEYWORDS",
        "OF_OPERATORS",
        "POSITIONS",
    ),
    "gluonish.errors.habits.missing_keywords": ("SENTENCES",),
    "gluonish.errors.habits.missing_names": (
        "ANYWHERE",
        "NAMES",
    ),
    "gluonish.errors.habits.optimizer_keywords": (
        "FOR_OPTIMIZERS",
        "OF_OPTIMIZERS",
    ),
    "gluonish.errors.habits.rarer_names": (
        "LAYERS_OF_FUNCTIONS",
        "RARER",
    ),
    "gluonish.errors.habits.values": ("VALUES",),
}

__all__ = [
    "ANYWHERE",
    "ATTRIBUTES",
    "CALLS",
    "COUNTED_OTHERWISE",
    "ELSEWHERE",
    "FOR_OPTIMIZERS",
    "KEYWORDS",
    "LAYERS_OF_FUNCTIONS",
    "NAMES",
    "OF_OPERATORS",
    "OF_OPTIMIZERS",
    "POSITIONS",
    "RARER",
    "SEALED",
    "SENTENCES",
    "VALUES",
]
