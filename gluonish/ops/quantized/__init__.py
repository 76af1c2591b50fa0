"""Operators on 8-bit integers: quantization, and what quantized networks compute with."""
