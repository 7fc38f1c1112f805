"""The words of a query: who says which of them, how close together, and whom they name."""
