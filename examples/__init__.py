"""Runnable examples; each runs offline, and each is a test."""
