import numpy as np
from figure_page import SHOWN, Figure, in_python, is_number, told_to

DRAG = ("joint 1 q₁", (60, 0))

STATES = [({"arm": "UR10"}, "")]


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("SourceFigure"))
    numbers, panes = python.numbers, figure.host.locator(".live-code").all()
    for pane, text in zip(panes, (python.listing.javascript, python.listing.numpy), strict=True):
        assert "\n".join(pane.locator("code").all_inner_texts()) == text
        shown = pane.locator(".live-code-number").all_inner_texts()
        for line, number in zip(text.split("\n"), shown, strict=True):
            if number:
                name, *entry = line.split(" = ")[0].replace("const", "").strip().rstrip("]").split("[..., ")
                place = tuple(int(index) for index in entry[0].split(",")) if entry else ()
                assert abs(float(number.replace("−", "-")) - numbers[name][place]) <= 0.01 * SHOWN
        scalars = sum(value.ndim == 0 for value in numbers.values())
        assert sum(map(bool, shown)) >= scalars
    tip = [float(word.replace("−", "-")) for word in figure.says.split() if is_number(word.replace("−", "-"))]
    assert np.abs(np.array(tip) - numbers["T"][:3, 3]).max() <= 0.1 * SHOWN
