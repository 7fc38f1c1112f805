"""Backups of a store, as commands have them: chosen, restored, and what is damaged mended."""
