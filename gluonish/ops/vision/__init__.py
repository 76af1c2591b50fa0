"""Operators on images, on boxes in them, and on regions of feature maps."""
