"""What was remembered elsewhere goes in: another program's memories, another log's events."""
