"""Load the configuration of nbgrader, which looks for it in the root of the repository."""

c = get_config()  # noqa: F821 (nbgrader runs this file with get_config in scope)
load_subconfig("exercises/nbgrader_config.py")  # noqa: F821
