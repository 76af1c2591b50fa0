"""Operators that layers are made of."""
