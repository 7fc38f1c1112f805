"""A store in the hands of one process: open, served, looked after."""
