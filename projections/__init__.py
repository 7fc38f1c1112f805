"""What is asked of the log, kept ready: views that can be deleted and grow back, and the recall that reads them."""
