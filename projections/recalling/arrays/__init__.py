"""What queries need of the scopes, as arrays in memory: what stands on their shelves, and who says which word."""
