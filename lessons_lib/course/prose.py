"""Numbers for the prose of a lesson: a cell keeps them under a name, and the text around it says the name."""


def glue(name: str, text: str) -> None:
    """Keep a text in the outputs of the running cell, where the book's role `glue:text` finds it, and show nothing.

    What is kept is what `glue` of MyST-NB keeps, without Sphinx, which takes seconds to load.

    Args:
        name: Unique in the notebook.
        text: What the prose says in its place.
    """
    from IPython.display import display

    kind = "application/papermill.record/"
    about = {"scrapbook": {"name": name, "mime_prefix": kind}}
    display({f"{kind}text/plain": repr(text)}, metadata=about, raw=True)  # type: ignore[no-untyped-call]
