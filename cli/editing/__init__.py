"""Other programs' configuration, edited as the text somebody wrote: what is not ours stays as it is, byte for byte."""
