"""`python -m benchmarks`: all measurements, one after the other."""

from __future__ import annotations

from benchmarks import cost, random_streams

cost.main()
random_streams.print_table(random_streams.SIZES)
