"""What an assistant is shown: before a prompt, when a session begins, and when one is gone on with."""
