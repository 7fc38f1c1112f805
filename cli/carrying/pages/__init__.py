"""What is known as a tree of Markdown: for people, other tools and version control."""
