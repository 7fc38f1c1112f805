"""How a name stands in SQL, and a phrase in a query of a full-text index: in the same marks."""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
