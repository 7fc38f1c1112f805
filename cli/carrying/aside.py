"""The file beside the log in which a whole log is built before it takes its place."""

INCOMING = "incoming.db"
