"""What was judged, for which questions, and what that says of memories now."""
