"""What lies in a store's folder, and how it is taken away."""
