"""Operators on whole arrays: new ones, other shapes, parts, several into one, sums over axes."""
