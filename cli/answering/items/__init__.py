"""Items of work: who holds which, and which waits in the queue."""
