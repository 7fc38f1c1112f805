"""What is stated or learned becomes a memory, and takes the place of what it makes untrue."""
