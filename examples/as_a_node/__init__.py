"""fumehood as a node of a larger graph."""
