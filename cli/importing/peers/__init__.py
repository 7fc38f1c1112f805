"""What other memories of assistants hold, one file a program: each reads that program's own files, and changes none."""
