"""For a class: copies of the notebooks, JupyterLab, a hub, containers. README.md says how to start."""
