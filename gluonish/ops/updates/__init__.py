"""Operators for one update of weights, and the rules that optimizers share with them."""
