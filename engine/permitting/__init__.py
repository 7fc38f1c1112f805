"""Whether something may be done now: a tool used, a model asked, anything kept. Decided from what happened. Pure."""
