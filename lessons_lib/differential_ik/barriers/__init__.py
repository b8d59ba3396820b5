"""Barriers: functions of the configuration that must not become negative."""
