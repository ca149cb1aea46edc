"""The nodes of the graph: one verb, one file, one function."""
