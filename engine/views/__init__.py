"""How views grow from the log, are replaced and compared with it; `projections/` says which there are."""
