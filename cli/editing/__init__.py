"""Other programs' configuration, edited as the text that somebody wrote: what is not ours stays as it is, byte for byte."""
