"""Tasks: what the robot should do, as well as all of it can be done. Each file holds one, readable and compiled."""
