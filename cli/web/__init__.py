"""What is answered over HTTP, and to whom. Nothing here knows the library that speaks it."""
