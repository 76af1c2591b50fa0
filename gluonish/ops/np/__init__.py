"""Operators that NumPy names: those of `np` which `nd` has not."""
