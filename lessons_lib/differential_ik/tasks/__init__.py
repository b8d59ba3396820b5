"""Tasks: errors that a step should reduce. Some have a compiled implementation beside the readable one."""
