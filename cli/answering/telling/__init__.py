"""What happened, told: to one memory, at the last prompts, over time."""
