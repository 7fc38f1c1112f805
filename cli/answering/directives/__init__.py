"""Standing rules: which apply at a moment, and before which tool."""
