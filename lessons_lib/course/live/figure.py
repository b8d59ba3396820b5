"""The live figure: model, controls and view in one object, live in JupyterLab and in the published book."""
# The model is a set of kernels, printed as JavaScript from the derivation; `front/src` draws the view. In JupyterLab
# the figure is an anywidget whose controls are traits. A stored notebook keeps a reference, from which the book creates
# the same figure, and a picture of the opening state for pages without scripts. `python -m tools.opening_pictures`
# draws that picture with the figure's view; it is stored beside the figure's module.

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
from lessons_lib.course.live.control import Choice, Control, LogSlider, Switch
from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.errors import ParameterError

__all__ = ["LiveFigure"]


class LiveFigure(anywidget.AnyWidget):
    """Base class of live figures. A subclass names its view and provides its model.

    Every control is a trait, so `figure.x = 0.5`, `figure.observe` and ipywidgets' `jslink` work. The arguments of a
    subclass are initial values of its controls, by name; an unknown name raises a ParameterError.

    Attributes:
        view: Name of the view that draws it.
        bundle: Bundle that contains the view: "widget", or "widget3d" if it draws in space.
        shapes: Names of the drawn arms' shapes, from `link_shapes.SHAPES`.
        title: Short title.
        about: Description of the picture, for readers who cannot see it.
        question: Question for the reader to explore; empty for none.
        answer: Answer to the question.
        folded: Names of the controls in a fold, so that at most seven are shown beside the picture.
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
        controls: Sequence[Control | LogSlider | Switch | Choice],
        source: str,
        values: Mapping[str, float | bool | str],
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Create the figure.

        Args:
            controls: Controls in display order; folded ones come last.
            source: The kernels as JavaScript.
            values: Initial values by control name, instead of the controls' own.
            data: Further data for the view, JSON-compatible.

        Raises:
            ParameterError: A value has no control.
            TraitError: A value is out of its control's range.
        """
        self.controls = tuple(sorted(controls, key=lambda control: control.name in self.folded))
        names = [control.name for control in self.controls]
        for name in sorted(values.keys() - set(names)):
            raise ParameterError(f"{type(self).__name__} has no control {name!r}; available: {', '.join(names)}")
        own_name = type(self).__name__
        self.add_traits(**{control.name: control.trait() for control in self.controls})
        self._presets = [control for control in self.controls if isinstance(control, Choice) and control.sets]
        options = dict(values)
        for one in self._presets:
            options = {**one.sets.get(str(values.get(one.name)), {}), **options}
        self.starts = {control.name: options.get(control.name, control.start) for control in self.controls}
        self.starts |= {one.name: one.fitting(self.starts) for one in self._presets}
        for name, value in self.starts.items():
            setattr(self, name, value)
        for one in self._presets:
            self.observe(partial(self._choose, one), one.name)
            self.observe(partial(self._fit, one), sorted({name for own in one.sets.values() for name in own}))
        self._name = own_name
        super().__init__(_specification=self._describe(source, data or {}))

    @property
    def _esm(self) -> str:
        return front_end.module(self.bundle, self.shapes)

    @property
    def specification(self) -> dict[str, Any]:
        """The data for the front end, JSON-compatible."""
        return self._specification

    @property
    def arguments(self) -> dict[str, Any]:
        """The initial values from which this figure can be created again, JSON-compatible."""
        return dict(self.starts)

    @property
    def values(self) -> dict[str, float | bool | str]:
        """The current values of the controls."""
        return {control.name: getattr(self, control.name) for control in self.controls}

    @property
    def facts(self) -> dict[str, float]:
        """Values by name that a question about the figure can check: its numbers, and further ones of a subclass."""
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
        """Return the path of the opening picture, PNG: `opening_NAME.png` beside `live_NAME.py`."""
        module = Path(str(sys.modules[cls.__module__].__file__))
        return module.with_name(module.stem.replace("live", "opening", 1) + ".png")

    def _describe(self, source: str, data: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "view": self.view,
            "title": self.title,
            "about": self.about,
            "question": self.question,
            "answer": self.answer,
            "shapes": list(self.shapes),
            "controls": [self._describe_control(control) for control in self.controls],
            "source": source,
            "data": dict(data),
        }

    def _describe_control(self, control: Any) -> dict[str, Any]:
        return {**control.describe(self.starts[control.name]), "folded": control.name in self.folded}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view, the reference for the book, and the picture for pages without scripts."""
        bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        bundle["text/plain"] = repr(self)
        bundle[REFERENCE] = {"figure": self._name, "arguments": self.arguments}
        if self.opening_path().exists():
            bundle["image/png"] = base64.b64encode(self.opening_path().read_bytes()).decode("ascii")
        return bundle, metadata

    def __repr__(self) -> str:
        """Return only the name, which is the same in every run, so that stored outputs can be compared."""
        return f"{self._name}()"


def from_reference(reference: Mapping[str, Any]) -> LiveFigure:
    """Create the figure that a stored notebook refers to; ParameterError if there is none."""
    package: Any = import_module("lessons_lib.course.live")
    figures = [name for name in package.__all__ if name.endswith("Figure") and name != "LiveFigure"]
    if (name := str(reference.get("figure"))) not in figures:
        raise ParameterError(f"no live figure is called {name!r}; available: {', '.join(figures)}")
    figure: LiveFigure = getattr(package, name)(**reference["arguments"])
    return figure
