"""What forges are asked about, and what they say. Only the command `enrich` comes here."""
