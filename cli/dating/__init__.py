"""When something is to be: times as people write them, and the clock of this machine."""
