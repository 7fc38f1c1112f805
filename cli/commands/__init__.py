"""One file a command: `configure(parser)` says what it takes, `run(arguments)` does it and returns the exit code."""
