"""Pictures and tables of networks (also `mx.visualization`)."""

from __future__ import annotations

import re

from gluonish.viz import notebook
from gluonish.viz.curves import plot_history, plot_learning_rates
from gluonish.viz.network import plot_network
from gluonish.viz.table import print_summary

__all__ = ["plot_history", "plot_learning_rates", "plot_network", "print_summary"]

notebook.install()


def _str2tuple(string: str) -> list[str]:
    """Return the numbers in the text of a tuple: '(1, 2)' gives ['1', '2']."""
    return re.findall(r"\d+", string)
