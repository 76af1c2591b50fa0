"""What does not fit, where a file's values are to become those of a Block."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from gluonish.errors import ParameterFileError
from gluonish.errors.program_layers import where_written
from gluonish.errors.suggestions import nearest
from gluonish.errors.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.block import matching


_Layers = dict[str, dict[str, tuple[int, ...]]]  # shapes by layer and name


@dataclass(slots=True)
class Findings:
    """What keeps the values of a file from becoming those of the parameters."""

    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    dtypes: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)


def _replacing(found: list[str], names: list[str]) -> str:
    """Return how to replace the layer that does not fit, where it is the last one."""
    owners = [name.rpartition(".")[0] for name in names]
    if found and not all(f"'{owners[-1]}." in each for each in found):
        return ""
    return f"; to fine-tune, {_with_another_layer(found)}"


def _with_another_layer(found: list[str]) -> str:
    layers = {each.partition("'")[2].partition("'")[0].rpartition(".")[0] for each in found}
    path = layers.pop() if len(layers) == 1 else ""
    if not path or (any(part.isdigit() for part in path.split(".")) and "." in path):
        return "replace its last layer after loading"
    if path.isdigit():
        wanted = re.search(r" and \((\d+), ?\d*\) in the Block", found[0])
        units = wanted[1] if wanted is not None else "..."
        return (
            f"load into one with these, then new = nn.HybridSequential(), new.add(*net[:-1], "
            f"nn.Dense({units})) and new[-1].initialize() have another last layer"
        )
    return f"write net.{path} = nn.Dense(...) after loading, and net.{path}.initialize()"


def _sizes(found: list[str]) -> str:
    """Return which size of the Block is another one in the file, if it is one alone."""
    sizes = set()
    for each in found:
        shapes = [part.split(", ") for part in re.findall(r"\(([-\d, ]+?),?\)", each)]
        if len(shapes) != 2 or len(shapes[0]) != len(shapes[1]):
            return ""
        sizes |= {
            pair
            for pair in zip(*shapes, strict=True)
            if pair[0] != pair[1] and not {"0", "-1"} & {*pair}
        }
    if len(sizes) != 1:
        return ""
    filed, built = sizes.pop()
    return f", {filed} in place of {built}{where_written(int(built))}"


def refuse(source: str, target: str, match: matching.Match, findings: Findings) -> NoReturn:
    """Raise the error that lists all that does not fit."""
    params, loaded, hidden = match.params, match.values, len(match.prefix)
    in_file = listed([repr(name[hidden:]) for name in loaded]) or "nothing"
    in_block = listed([repr(name[hidden:]) for name in params]) or "nothing"
    keep = "Set allow_missing=True to keep what the Block has, after net.initialize()"
    leave = "Set ignore_extra=True to leave them out"
    if findings.shapes:  # of which that alone does not rid
        keep = leave = "Build the Block with the layers of the file"
    parts = {
        f"missing in the file, which holds {in_file}. {keep}": findings.missing,
        f"not in the Block, which holds {in_block}. {leave}": findings.extra,
        f"of another shape. Build the Block with the sizes of the file{_sizes(findings.shapes)}"
        f"{_replacing(findings.shapes, [*params])}": findings.shapes,
        "of another dtype. Set cast_dtype=True, or cast() the Block first": findings.dtypes,
        "on other contexts. Leave ctx out, or call reset_ctx() first": findings.contexts,
    }
    head = (
        f"Loading {source!r} into {target}: they do not fit together, nothing was changed. "
        f"Expected equal names, shapes and dtypes."
    )
    lines = [f"{listed(found)}: {what}." for what, found in parts.items() if found]
    filed, built = ({name[hidden:].partition(".")[0] for name in some} for some in (loaded, params))
    if len(filed) != len(built) and all(map(str.isdigit, filed | built)):
        counts = f"The file has {len(filed)} layers with parameters, the Block {len(built)}."
        shapes = {name[hidden:]: tuple(value.shape) for name, value in loaded.items()}
        mine = {name[hidden:]: param.shape or () for name, param in params.items()}
        other = _other_layer(_by_layer(shapes), _by_layer(mine))
        lines = [f"{counts} {other}"] if other else [counts, *lines]
    if findings.missing and findings.extra:
        pairs = ((name, nearest(name, findings.missing, 0.8)) for name in findings.extra)
        alike = [(name, ours) for name, ours in pairs if ours]
        lines += [f"{name} of the file may be {ours}." for name, ours in alike]
        if alike:
            theirs, ours = alike[0]
            lines.append(
                f"To rename: d = mx.nd.load({source!r}), d[{ours}] = d.pop({theirs}) for each, "
                f"mx.nd.save(file, d)."
            )
    if params and any("." in name for name in loaded) and not any("." in name for name in params):
        lines = ["The file holds structural names: call net.load_parameters() for it."]
    msg = "\n  ".join([head, *lines])
    raise ParameterFileError(msg)


def _by_layer(shapes: Mapping[str, tuple[int, ...]]) -> _Layers:
    """Return the shapes of `0.weight` and its like by the number of the layer."""
    found: _Layers = {}
    for name, shape in shapes.items():
        layer, _, rest = name.partition(".")
        found.setdefault(layer, {})[rest] = shape
    return found


def _other_layer(filed: _Layers, built: _Layers) -> str:
    """Return which layer the one has and the other has not, where that is the difference."""
    more, fewer = (built, filed) if len(built) > len(filed) else (filed, built)
    for place in reversed([*more]):
        rest = [layer for each, layer in more.items() if each != place]
        if len(rest) == len(fewer) and all(map(_fit, rest, fewer.values())):
            shape = next(iter(more[place].values()))
            if more is built:
                return (
                    f"Without layer {place}, whose first parameter is of shape {shape}, the Block "
                    f"has those of the file. Build it without that layer, or add the layer after "
                    f"loading."
                )
            return (
                f"The Block lacks layer {place} of the file, whose first parameter is of shape "
                f"{shape}. Build it with that layer."
            )
    return ""


def _fit(one: Mapping[str, tuple[int, ...]], other: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether two layers have equal parameters; lengths of 0, or -1, are not known yet."""
    return one.keys() == other.keys() and all(
        len(shape) == len(other[name])
        and all(a == b or min(a, b) < 1 for a, b in zip(shape, other[name], strict=True))
        for name, shape in one.items()
    )
