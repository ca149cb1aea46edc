"""The execution layer: one trusted runner, many engines that start it isolated, and the host side of its protocol."""
