"""Questions for what was done and when: how they are worded, in which languages, and the times they say. Pure."""
