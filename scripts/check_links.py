"""Follows every link of the built documentation: `python scripts/check_links.py site`."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from typing_extensions import override

_LEADS = {"a": "href", "link": "href", "img": "src", "script": "src"}


class Page(HTMLParser):
    """The anchors of a page, and where it leads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.update(value for key in ("id", "name") if (value := given.get(key)))
        if target := given.get(_LEADS.get(tag, "")):
            self.links.add(target)


def broken(site: Path) -> list[str]:
    """Return a line for each link inside of a site that leads nowhere."""
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    found = []
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{path.relative_to(site)}: {link}: there is no such page")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{path.relative_to(site)}: {link}: there is no such anchor")
    return found


def main() -> None:
    """Check the site in the folder that is named."""
    lines = broken(Path(sys.argv[1]).resolve())
    sys.stdout.write("\n".join(lines or ["All links lead somewhere."]) + "\n")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
