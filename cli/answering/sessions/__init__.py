"""Sessions: how they live, where they stand, and how they are gone on with."""
