"""Measurements. Each module that measures prints a table and, with `--json`, writes the same. No timing is asserted."""
