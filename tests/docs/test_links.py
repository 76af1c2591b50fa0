from __future__ import annotations

import importlib.util
from pathlib import Path

_PATH = Path(__file__).parents[2] / "scripts" / "check_links.py"
_SPEC = importlib.util.spec_from_file_location("check_links", _PATH)
check_links = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(check_links)


def test_links_that_lead_nowhere_are_named(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<h1 id="here"></h1><a href="../">up</a>')
    (tmp_path / "index.html").write_text(
        '<a href="a/#here">1</a><a href="a/#gone">2</a><a href="b/">3</a>'
        '<a href="https://example.org/x">4</a><img src="a/none.png"><a href="#top">5</a>'
    )
    assert check_links.broken(tmp_path) == [
        "index.html: #top: there is no such anchor",
        "index.html: a/#gone: there is no such anchor",
        "index.html: a/none.png: there is no such page",
        "index.html: b/: there is no such page",
    ]
