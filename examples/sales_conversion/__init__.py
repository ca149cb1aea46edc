"""The sales conversion example."""
