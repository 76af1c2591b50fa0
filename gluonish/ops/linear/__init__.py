"""Linear algebra of MXNet's first API: products, decompositions, transforms."""
