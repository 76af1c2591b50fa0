"""Rows that say what is particular to operators that update weights, and what follows of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gluonish.ops.updates.arguments import ARRAYS, FACTORS, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from gluonish.ops.updates.arguments import Argument
    from gluonish.ops.updates.foreach import Tensors

    Step: TypeAlias = Callable[..., Tensors | None]

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Update(NamedTuple):
    """What is particular to one kind of update, in one or more forms.

    Parameters
    ----------
    name : str
        What the operator is called, without what its form puts in front.
    does : str
        What it returns, with `{}` for the weight.
    step : callable
        Its formula: changes weights and states in place, for weights, gradients, states, factors
        and constants as formulas of optimizers take them; or returns what takes the weights' place.
    options : str
        Its other arguments with their defaults, as signatures have them; those after `*` are
        passed by name alone.
    result : float
        What a weight of 1 becomes, where its gradient is 1, in the example.
    states : str, default ''
        What there is for each weight beside its gradient.
    forms : tuple of str
        What the names begin with: `mp_` updates the float32 copy of a weight of half precision,
        `multi_` several weights; for those that begin with `preloaded_`, rates are arrays.
    arrays : str, default 'weight grad'
        What its first arrays are called; `weights grads` are lists of them.
    kept : str, default ''
        Which arrays stay as they are, beside the gradient.
    paths : tuple of str
        Its names in `nd`, with `{}` for form and name.
    own : dict of str to Argument
        Arguments that are something else here than elsewhere.
    notes : str, default ''
        More about it.
    expects : str, default ''
        What errors say is expected, if not arguments that fit the signature.
    """

    name: str
    does: str
    step: Step
    options: str
    result: float
    states: str = ""
    forms: tuple[str, ...] = ("",)
    arrays: str = "weight grad"
    kept: str = ""
    paths: tuple[str, ...] = ("{}",)
    own: Mapping[str, Argument] = _NOTHING
    notes: str = ""
    expects: str = ""


class Form:
    """One operator: an update in one of its forms.

    Parameters
    ----------
    update : Update
        Its row.
    prefix : str
        Its form.

    Attributes
    ----------
    name : str
        What it is called.
    is_half : bool
        Whether it updates the float32 copies of weights of half precision.
    has_lists : bool
        Whether it takes a list of weights, a list of gradients and so on.
    is_flat : bool
        Whether it takes the arrays of one weight after those of the other.
    is_preloaded : bool
        Whether its learning rates and weight decays are arrays.
    arrays : tuple of str
        What there is for each weight.
    options : dict of str to str
        Its other arguments, with their defaults as text; empty where there is none.
    needs_names : bool
        Whether these are passed by name alone.
    """

    def __init__(self, update: Update, prefix: str) -> None:
        self.update = update
        self.name = prefix + update.name
        self.is_half = "mp_" in prefix
        self.has_lists = update.arrays.startswith("weights ")
        self.is_flat = "multi_" in prefix and not self.has_lists
        self.is_preloaded = prefix.startswith("preloaded_")
        copies = ["weights32" if self.has_lists else "weight32"]
        self.arrays = (*update.arrays.split(), *update.states.split(), *copies * self.is_half)
        names = update.options.removeprefix("* ").split()
        given = (option.partition("=")[::2] for option in names)
        self.options = {
            name: default
            for name, default in given
            if not (self.is_preloaded and name in ("lrs", "wds"))
        }
        self.needs_names = self.is_flat or update.options.startswith("* ")

    @property
    def is_many(self) -> bool:
        """Whether it updates several weights."""
        return self.is_flat or self.has_lists

    @property
    def returns_weights(self) -> bool:
        """Whether it returns updated weights, not what leads to them."""
        return "weight" not in self.update.kept.split()

    @property
    def changed(self) -> tuple[str, ...]:
        """The arrays that change in place."""
        return tuple(name for name in self.arrays[2:] if name not in self.update.kept.split())

    @property
    def factors(self) -> dict[str, str]:
        """What formulas call the options that change from step to step."""
        parts = {name: self.argument(name).part for name in self.options}
        return {name: part for name, part in parts.items() if part in FACTORS}

    @property
    def constants(self) -> str:
        """The other options that formulas take, as a call passes them."""
        parts = {name: self.argument(name).part for name in self.options}
        return ", ".join(
            f"{part}={name}" for name, part in parts.items() if part and part not in FACTORS
        )

    def argument(self, name: str) -> Argument:
        """Return what is true of an argument."""
        if name in OPTIONS:
            return self.update.own.get(name, OPTIONS[name])
        found = self.update.own.get(name) or ARRAYS[name]
        return found._replace(annotation="Sequence[Tensor]") if self.has_lists else found
