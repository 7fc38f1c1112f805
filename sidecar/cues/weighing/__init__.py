"""The remarks of a follow-up by themselves: what each reports, and how far one may go by it. Pure."""
