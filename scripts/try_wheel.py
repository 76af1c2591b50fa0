"""Install a wheel into a fresh environment, and try there what a new user tries, offline.

None of the extras is there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from gluonish.cli.doctor import EXTRAS

PROGRAM = """
import gluonish, sys
from mxnet import nd
assert gluonish.__file__.startswith(sys.prefix), gluonish.__file__
print(nd.ones(3).sum().asscalar())
"""
# No proxy leads anywhere: what asks for the network fails.
_NOWHERE = "http://127.0.0.1:9"


def main(folder: str) -> None:
    """Try the newest wheel of a folder; other libraries are those of this environment."""
    wheel = max(Path(folder).glob("*.whl"), key=lambda path: path.stat().st_mtime).resolve()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        venv.create(home / "venv", with_pip=True)
        binaries = home / "venv" / "bin"
        own = subprocess.check_output(
            [binaries / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            text=True,
        ).strip()
        below = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        # Libraries of this environment, without those that only extras bring.
        hidden = f"import sys; sys.modules.update(dict.fromkeys({_extra_modules()}))"
        Path(own, "below.pth").write_text("\n".join([hidden, *sorted(below)]), encoding="utf-8")
        (home / "train.py").write_text(PROGRAM, encoding="utf-8")
        for words in (
            ["python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)],
            ["gluonish", "--version"],
            ["gluonish", "doctor"],
            ["gluonish", "run", "train.py"],
            ["gluonish", "demo", "--epochs", "1"],
        ):
            subprocess.run([binaries / words[0], *words[1:]], cwd=home, env=_offline(), check=True)


def _extra_modules() -> list[str]:
    return [module for _, modules in EXTRAS.values() for module in modules]


def _offline() -> dict[str, str]:
    left = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return left | dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), _NOWHERE)


if __name__ == "__main__":
    main(*sys.argv[1:])
