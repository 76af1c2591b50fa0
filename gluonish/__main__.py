"""`python -m gluonish`: the command line, for environments whose scripts are not in the path."""

from __future__ import annotations

import sys

from gluonish.cli import main

if __name__ == "__main__":
    sys.exit(main())
