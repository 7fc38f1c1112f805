"""Documents as pieces of text: one small file a format, then the cut into chunks. It runs in a process of its own."""
