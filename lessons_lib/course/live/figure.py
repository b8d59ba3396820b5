"""The live figure: model, controls and view in one object, alive in JupyterLab and in the published book.

The model is kernels, printed as JavaScript from the derivation; the view is named here and drawn by `front/src`. In
JupyterLab the figure is an anywidget, whose controls are traits. A stored notebook keeps a reference, from which the
book makes the same figure again, and a picture of the opening state for every page that runs no script. That picture
lies beside the figure's module, drawn by its view: `python -m tools.opening_pictures`.
"""

import base64
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Dict

from lessons_lib.course.live import front_end
from lessons_lib.course.live.control import Choice, Control, Ladder, Switch
from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.errors import ParameterError

__all__ = ["LiveFigure"]


class LiveFigure(anywidget.AnyWidget):
    """A figure that moves. A subclass names its view and gives its model.

    Every control is a trait, so `figure.x = 0.5`, `figure.observe` and ipywidgets' `jslink` work. The arguments of a
    subclass say where its controls stand at first, by their names, which are its attributes; any other name raises a
    ParameterError.

    Attributes:
        view: Name of the view in `front/src` that draws it.
        bundle: Which bundle holds that view: "widget", or "widget3d" where it draws in space.
        shapes: Names of the arms' shapes that it draws, out of `link_shapes.SHAPES`.
        title: What it is, in a few words.
        about: What the eye sees, for who cannot see it.
        question: What the reader is to find out by playing; empty for none.
        answer: What there is to be found.
        folded: Names of the controls that wait in a fold, so that at most seven are seen beside the picture.
    """

    view: ClassVar[str]
    bundle: ClassVar[str] = "widget"
    shapes: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    about: ClassVar[str]
    question: ClassVar[str] = ""
    answer: ClassVar[str] = ""
    folded: ClassVar[tuple[str, ...]] = ()

    _specification = Dict().tag(sync=True)

    def __init__(
        self,
        controls: Sequence[Control | Ladder | Switch | Choice],
        source: str,
        values: Mapping[str, float | bool | str],
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Make the figure.

        Args:
            controls: What can be set, in the order in which it is shown; what is folded comes last.
            source: The kernels, JavaScript.
            values: What some of the controls hold at first, in place of their own start.
            data: What else the view needs, as JSON knows it.

        Raises:
            ParameterError: A value is for no control.
            TraitError: A value is beyond its control's ends.
        """
        self.controls = tuple(sorted(controls, key=lambda control: control.name in self.folded))
        names = [control.name for control in self.controls]
        for name in sorted(values.keys() - set(names)):
            raise ParameterError(f"{type(self).__name__} has no control {name!r}; it has {', '.join(names)}")
        own_name = type(self).__name__
        self.add_traits(**{control.name: control.trait() for control in self.controls})
        self._presets = [control for control in self.controls if isinstance(control, Choice) and control.sets]
        given = dict(values)
        for one in self._presets:
            given = {**one.sets.get(str(values.get(one.name)), {}), **given}
        self.starts = {control.name: given.get(control.name, control.start) for control in self.controls}
        self.starts |= {one.name: one.fitting(self.starts) for one in self._presets}
        for name, value in self.starts.items():
            setattr(self, name, value)
        for one in self._presets:
            self.observe(partial(self._choose, one), one.name)
            self.observe(partial(self._fit, one), sorted({name for own in one.sets.values() for name in own}))
        self._name = own_name
        super().__init__(_specification=self._described(source, data or {}))

    @property
    def _esm(self) -> str:
        return front_end.module(self.bundle, self.shapes)

    @property
    def specification(self) -> dict[str, Any]:
        """All that the front end is told, as JSON knows it."""
        return self._specification

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes this figure again, as JSON knows it: the values it began with."""
        return dict(self.starts)

    @property
    def values(self) -> dict[str, float | bool | str]:
        """What the controls hold now."""
        return {control.name: getattr(self, control.name) for control in self.controls}

    @property
    def facts(self) -> dict[str, float]:
        """What a question for a place in the figure may judge, by name: its numbers, and what a subclass adds."""
        return {name: float(value) for name, value in self.values.items() if type(value) in (int, float)}

    def _choose(self, choice: Choice, change: Any) -> None:
        own = choice.sets.get(change["new"], {})
        with self.hold_trait_notifications():
            for name, number in own.items():
                setattr(self, name, number)

    def _fit(self, choice: Choice, change: Any) -> None:
        setattr(self, choice.name, choice.fitting(self.values))

    @classmethod
    def opening_path(cls) -> Path:
        """Return the file of the picture of the opening state, PNG: `opening_NAME.png` beside `live_NAME.py`."""
        module = Path(str(sys.modules[cls.__module__].__file__))
        return module.with_name(module.stem.replace("live", "opening", 1) + ".png")

    def _described(self, source: str, data: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "view": self.view,
            "title": self.title,
            "about": self.about,
            "question": self.question,
            "answer": self.answer,
            "shapes": list(self.shapes),
            "controls": [self._told(control) for control in self.controls],
            "source": source,
            "data": dict(data),
        }

    def _told(self, control: Any) -> dict[str, Any]:
        return {**control.described(self.starts[control.name]), "folded": control.name in self.folded}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view, the reference for the book, and the picture for pages without scripts."""
        bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        bundle["text/plain"] = repr(self)
        bundle[REFERENCE] = {"figure": self._name, "arguments": self.arguments}
        if self.opening_path().exists():
            bundle["image/png"] = base64.b64encode(self.opening_path().read_bytes()).decode("ascii")
        return bundle, metadata

    def __repr__(self) -> str:
        """Return the name only: the same text in every run, so that stored outputs can be compared."""
        return f"{self._name}()"


def from_reference(reference: Mapping[str, Any]) -> LiveFigure:
    """Return the figure that a stored notebook refers to.

    Raises:
        ParameterError: There is no such figure.
    """
    package: Any = import_module("lessons_lib.course.live")
    name = str(reference.get("figure"))
    if name not in package.__all__ or not name.endswith("Figure") or name == "LiveFigure":
        raise ParameterError(f"no live figure is called {name!r}; there are {', '.join(package.__all__)}")
    made: LiveFigure = getattr(package, name)(**reference["arguments"])
    return made
