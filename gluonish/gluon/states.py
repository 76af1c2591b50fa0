"""Files of a Trainer's states, whose parameters are told apart by their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gluonish.block.parameter_memory import copies_of
from gluonish.errors import FileFormatError, ParameterFileError
from gluonish.errors.wording import natural
from gluonish.late import LateModule
from gluonish.optimizer.settings import with_settings
from gluonish.optimizer.updater import Fitted, arrays_of, own_names, renumber
from gluonish.serialization.files import open_source, path_text, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.block import Parameter
    from gluonish.optimizer import Optimizer, Updater, saving
    from gluonish.optimizer.saving import Saved
    from gluonish.serialization.files import PathLike
else:
    saving = LateModule("gluonish.optimizer.saving")

_SHOWN = 10


def save_states(path: PathLike, updater: Updater, params: Sequence[Parameter]) -> None:
    """Save an updater's states under the names of its parameters."""
    names = {index: param.name for index, param in enumerate(params)}
    content = updater.packed(names, with_optimizer=True)
    with replacing(path) as stream:
        stream.write(content)


def load_states(path: PathLike, updaters: Sequence[Updater], params: Sequence[Parameter]) -> None:
    """Load states into the updaters of all contexts, or change nothing."""
    source = path_text(path)
    optimizer = updaters[0].optimizer
    with open_source(path) as opened:
        saved = saving.unpack(opened.stream.read(), source, own_names(optimizer))
    put_states([saved], updaters, params, source)


def check_states(
    saved: Saved, optimizer: Optimizer, params: Sequence[Parameter], source: str
) -> tuple[Optimizer, dict[Any, int]]:
    """Return a copy of an optimizer with saved settings, and the parameters' places.

    Raises
    ------
    FileFormatError
        The settings are damaged.
    ParameterFileError
        They belong to another kind of optimizer, or to other parameters.
    """
    restored = optimizer
    if saved.optimizer is not None:
        restored = with_settings(optimizer, saved.optimizer, source)
    return restored, _places(saved, params, source)


def put_states(
    states: Sequence[Saved], updaters: Sequence[Updater], params: Sequence[Parameter], source: str
) -> None:
    """Put saved states into the updaters of all contexts, or change nothing.

    Parameters
    ----------
    states : list of Saved
        One for all updaters, or one for each; the first one's settings count.
    updaters : list of Updater
        Those of a Trainer.
    params : list of Parameter
        The Trainer's.
    source : str
        Name of the file, for messages.

    Raises
    ------
    ParameterFileError
        They belong to another kind of optimizer, or to other parameters.
    """
    optimizer = updaters[0].optimizer
    restored, places = check_states(states[0], optimizer, params, source)
    if len(states) != len(updaters):
        states = [states[0]] * len(updaters)
    plans = [
        _planned(restored, device, saved, places, params) for device, saved in enumerate(states)
    ]
    problems = [
        fitted.problem(f"parameter {params[index].name!r}")
        for plan in plans[:1]
        for index, fitted in plan.items()
        if isinstance(fitted, Fitted) and not fitted.fits
    ]
    if problems:
        msg = (
            f"Loading states from {source!r}: {_listed(problems, ' ')} Load the file that was "
            f"saved with this net and these settings."
        )
        raise ParameterFileError(msg)
    renumber(restored, places, len(updaters))
    optimizer.__dict__.update(restored.__dict__)
    for updater, plan in zip(updaters, plans, strict=True):
        updater.put(
            {
                index: fitted.state(updater.states.get(index))
                for index, fitted in plan.items()
                if isinstance(fitted, Fitted)
            },
            {index: fitted for index, fitted in plan.items() if not isinstance(fitted, Fitted)},
        )


def _planned(
    optimizer: Optimizer,
    device: int,
    saved: Saved,
    places: dict[Any, int],
    params: Sequence[Parameter],
) -> dict[int, Any]:
    """Return states by index: fitted to the parameters that have values, else as they are."""
    plan: dict[int, Any] = {}
    for index, state in saved.states.items():
        place = places[index]
        arrays = copies_of(params[place])
        if arrays:
            plan[place] = Fitted(optimizer, place, arrays[device], state)
        else:
            plan[place] = arrays_of(state)
    return plan


def _places(saved: Saved, params: Sequence[Parameter], source: str) -> dict[Any, int]:
    """Return where the parameters of a file stand in a Trainer."""
    if not saved.names:
        return _numbered_places(saved, params, source)
    if not saved.states.keys() <= saved.names.keys():
        msg = (
            f"Loading states from {source!r}: it has states of parameters without names. Expected "
            f"a name for each. Save the states anew, or go on without them."
        )
        raise FileFormatError(msg)
    theirs = sorted(saved.names, key=lambda index: natural(saved.names[index]))
    ours = sorted(range(len(params)), key=lambda index: natural(params[index].name))
    their_names = [saved.names[index] for index in theirs]
    our_names = [params[index].name for index in ours]
    if list(map(_without_numbers, their_names)) != list(map(_without_numbers, our_names)):
        missing = [name for name in our_names if name not in their_names]
        foreign = [name for name in their_names if name not in our_names]
        msg = (
            f"Loading states from {source!r}: it has states for {len(theirs)} parameters, the "
            f"Trainer has {len(ours)}; only in the file: {_listed(foreign)}; only in the Trainer: "
            f"{_listed(missing)}. Load the file that was saved with this net."
        )
        raise ParameterFileError(msg)
    return dict(zip(theirs, ours, strict=True))


def _numbered_places(saved: Saved, params: Sequence[Parameter], source: str) -> dict[Any, int]:
    """Return where parameters stand that a file tells apart by number, or by their full names."""
    names = {param.name: index for index, param in enumerate(params)}
    places = {}
    foreign = []
    for index in saved.states:
        place = names.get(index, -1) if isinstance(index, str) else index
        places[index] = place
        if not 0 <= place < len(params):
            foreign.append(repr(index))
    if foreign:
        msg = (
            f"Loading states from {source!r}: it has states for {_listed(foreign)}, the Trainer "
            f"has {len(params)} parameters: {_listed(list(names))}. Load the file that was saved "
            f"with this net."
        )
        raise ParameterFileError(msg)
    return places


def _without_numbers(name: str) -> str:
    return re.sub(r"\d+", "#", name)


def _listed(items: Sequence[str], separator: str = ", ") -> str:
    more = f"{separator}and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return separator.join(items[:_SHOWN]) + more or "none"
