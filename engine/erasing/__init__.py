"""Erasing: events are emptied, what was emptied is remembered, also in logs that were set aside."""
