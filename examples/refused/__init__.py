"""The refused example."""
