"""What is off limits: folders and files that lists name, and how a person is told of it."""
