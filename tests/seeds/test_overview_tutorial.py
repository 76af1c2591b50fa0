"""The programs of MXNet's overview tutorial of 2016 print what that document prints."""

from __future__ import annotations

import contextlib
import doctest
import io
from pathlib import Path

SESSION = Path(__file__).with_name("overview.txt")


class Loose(doctest.OutputChecker):
    """Compares printed text but for blanks, which NumPy has moved."""

    def check_output(self, want, got, optionflags):
        want, got = ("".join(text.split()) for text in (want, got))
        return super().check_output(want, got, optionflags)


def test_programs_print_what_the_document_prints(tmp_path, monkeypatch, s3, in_place_of_mxnet):
    monkeypatch.chdir(tmp_path)
    text = SESSION.read_text(encoding="utf-8").replace("gpu(", "cpu(")
    session = doctest.DocTestParser().get_doctest(text, {}, SESSION.name, str(SESSION), 0)
    runner = doctest.DocTestRunner(Loose(), verbose=False, optionflags=doctest.ELLIPSIS)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        results = runner.run(session, out=told.write)
    assert results.attempted > 120
    assert not results.failed, told.getvalue()
