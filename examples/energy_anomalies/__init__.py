"""The energy anomalies example."""
