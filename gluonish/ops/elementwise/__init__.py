"""Operators on elements: arithmetic, comparisons, functions of one number."""
