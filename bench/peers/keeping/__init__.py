"""Each peer keeps some things of every sort it knows, by its own tools, where it keeps its data by itself; and says
what it has. `inside.py` runs one in its environment and holds its store open until it is told to end."""
