"""What can be asked, what is answered, and how both lie on the wire."""
