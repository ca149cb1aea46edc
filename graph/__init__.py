"""The state machine: the task, the state, the routes and the graph that joins the nodes."""
