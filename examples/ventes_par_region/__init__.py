"""The ventes par region example."""
