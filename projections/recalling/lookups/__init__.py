"""Questions that no ranking answers: for a time, a thing, a session, for what is linked or may be replaced."""
