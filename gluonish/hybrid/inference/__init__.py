"""Inference: a captured graph rewritten for parameters that stay as they are."""
