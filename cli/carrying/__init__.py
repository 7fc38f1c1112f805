"""Carrying the log elsewhere: its events as lines, out of a store and into one."""
