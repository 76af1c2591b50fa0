"""Operators that draw random numbers, and densities of what is drawn."""
