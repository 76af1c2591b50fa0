"""Draws mistakes: programs that work, changed in one place, and asks what their authors are told.

`python -m fuzz.mistakes` prints the answers that leave their reader alone.
"""
