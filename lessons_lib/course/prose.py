"""Store values in a notebook for the prose of a lesson, which refers to them by name."""


def glue(name: str, text: str) -> None:
    """Store a text in the outputs of the running cell, for the book's role `glue:text`, and display nothing."""
    # the stored output equals that of MyST-NB's `glue`, without loading Sphinx, which takes seconds
    from IPython.display import display

    kind = "application/papermill.record/"
    about = {"scrapbook": {"name": name, "mime_prefix": kind}}
    display({f"{kind}text/plain": repr(text)}, metadata=about, raw=True)  # type: ignore[no-untyped-call]
