"""Measurements. Each module prints a table and, with `--json`, writes the same as JSON. No timing is asserted."""
