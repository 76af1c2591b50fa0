"""Operators that graphs and files have, and that functions choose by their arguments."""
