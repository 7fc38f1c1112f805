"""What is asked of the log, kept in tables: each a projection that can be deleted and grows back."""
