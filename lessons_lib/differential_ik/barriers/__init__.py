"""Barriers: functions h(q) of the configuration that stay at least zero."""
