"""Lets nbgrader find its configuration from the repository's root."""

c = get_config()  # noqa: F821 (nbgrader runs this file with get_config in scope)
load_subconfig("exercises/nbgrader_config.py")  # noqa: F821
