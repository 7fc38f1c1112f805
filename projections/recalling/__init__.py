"""A question's answer: who says or means what is asked, in which order, and how it is told."""
