"""What is kept of memories and how long: their particulars, what is due, what is put away or merged."""
