"""The packages of gluonish as floors of a house, for the page on developing: a picture and a list.

Floors are the layers of `[tool.importlinter]` in pyproject.toml, sentences the docstrings.
`python scripts/docs_house.py` prints both.
"""

from __future__ import annotations

import ast
import html
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gluonish"
WIDTH, ROW, GAP, PADDING, LETTER = 980, 40, 8, 12, 8.2  # pixels


def floors() -> list[list[str]]:
    """Return the names of each floor's packages and modules, the uppermost floor first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


def sentence(name: str) -> str:
    """Return the first line of the docstring of a package or module."""
    folder = PACKAGE / name
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def picture() -> str:
    """Return the floors as SVG: names in boxes, imports go down."""
    rows: list[list[tuple[str, float, float]]] = []
    ends: set[int] = set()  # rows with which a floor ends
    for names in floors():
        left, row = 0.0, []
        for name in names:
            width = LETTER * len(name) + 2 * PADDING
            if row and left + width > WIDTH - 2 * PADDING:
                rows.append(row)
                left, row = 0.0, []
            row.append((name, left, width))
            left += width + GAP
        rows.append(row)
        ends.add(len(rows) - 1)
    height = ROW * len(rows)
    start_of_picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="monospace" font-size="13" role="img" '
        'aria-label="Packages of gluonish; each imports those below it only">'
    )
    parts = [start_of_picture]
    for number, row in enumerate(rows):
        top = number * ROW
        used = row[-1][1] + row[-1][2]
        start = (WIDTH - used) / 2
        if number in ends:
            line = f"M0 {top + ROW - 1}H{WIDTH}"
            parts.append(f'<path d="{line}" stroke="currentColor" stroke-opacity="0.15"/>')
        for name, left, width in row:
            x = start + left
            parts.append(
                f'<rect x="{x:.0f}" y="{top + 4}" width="{width:.0f}" height="{ROW - 10}" rx="4" '
                'fill="none" stroke="currentColor" stroke-opacity="0.5"/>'
                f'<text x="{x + width / 2:.0f}" y="{top + 23}" text-anchor="middle" '
                f'fill="currentColor">{html.escape(name)}</text>'
            )
    # Markdown would take the underscores of __main__ for bold type, and so end the picture.
    return "".join([*parts, "</svg>"]).replace("__", "&#95;&#95;")


def listed() -> str:
    """Return the floors as a table in Markdown, from the ground up."""
    lines = ["| room | what it is for |", "| --- | --- |"]
    for names in reversed(floors()):
        for name in names:
            path = f"gluonish/{name}/" if (PACKAGE / name).is_dir() else f"gluonish/{name}.py"
            lines.append(f"| `{path}` | {sentence(name)} |")
    return "\n".join(lines)


def private_names() -> str:
    """Return a table of the private names that other packages may reach for, and why."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = ["| name | of | read or written by | why |", "| --- | --- | --- | --- |"]
    for name, row in settings["tool"]["private-names"]["allowed"].items():
        rows.append(f"| `{name}` | {row['of']} | {', '.join(row['by'])} | {row['why']} |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.stdout.write(f"{picture()}\n\n{listed()}\n")
