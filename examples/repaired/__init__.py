"""The repaired example."""
