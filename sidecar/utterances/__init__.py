"""What cues and captures both read a text with: its words, its languages, whose it is, what it confides. Pure."""
