"""The retention example."""
