"""Draw the opening state of live figures with their own views: `python -m tools.opening_pictures [FIGURE ...]`.

Stored notebooks, paper, and pages without scripts show these pictures, which are committed beside the figures' modules.
"""

import argparse
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib import get_data_path
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from lessons_lib.course import live
from lessons_lib.course.live import front_end
from lessons_lib.course.live.figure import LiveFigure

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "book")]
from chromium import WITHOUT_GPU, browser_path  # noqa: E402

WIDTH, DOTS = 720, 1.5
"""Width of the figure in pixels of the page, and dots of the picture for each of them."""

COARSER = 4
"""A map that is refined stride by stride has so many times fewer points a side."""

COLOURS = 48
"""Colours of a picture, which keep it small."""

CELL = 12
"""Side of the squares whose mean colours are compared, in dots: an edge that another processor rounds differently, or a
letter that is moved by a dot, changes them little."""

FONTS = {"pinned": "DejaVuSans.ttf", "pinned mono": "DejaVuSansMono.ttf"}
"""Matplotlib's fonts, which are the same on every machine."""

STYLE = f"""
body {{ margin: 0; background: #fff; }}
.live-figure.live-figure {{
  --live-card: #fff; --live-mono: "pinned mono"; border: 0; border-radius: 0;
  font: 14px/1.45 "pinned"; width: {WIDTH}px;
}}
.live-figure.live-figure .live-body {{ display: block; }}
.live-figure.live-figure p.live-says {{ min-height: 0; }}
.live-figure.live-figure > :not(.live-body) {{ display: none; }}
.live-panel, .live-player, .live-load, .live-rows, .live-progress, .live-postures, .live-wide,
.live-view-robot .live-stage > .live-bars-head {{ display: none !important; }}
"""
"""Style that hides the controls: picture, sentence and numbers remain."""

READY = """async () => {
    for (const bar of document.querySelectorAll('progress'))
        while (bar.value < bar.max) await new Promise(requestAnimationFrame);
    await document.fonts.ready;
    for (let k = 0; k < 6; k++) await new Promise(requestAnimationFrame);
}"""


@contextmanager
def browser_in_space() -> Iterator[Browser]:
    """Launch a Chromium that draws in space without a graphics card."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", *WITHOUT_GPU]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=flags)
        yield browser
        browser.close()


def page_of(figure: LiveFigure, style: str, *, coarse: bool = False) -> str:
    """Return a page that holds nothing but a figure, with the scripts of the book and fonts of matplotlib.

    Args:
        figure: The figure.
        style: The page's own style sheet.
        coarse: Whether a map that is refined stride by stride ends early.
    """
    names = ["live.js", *(["live3d.js"] if figure.bundle == "widget3d" else [])]
    paths = [*(front_end.FOLDER / name for name in names), *map(front_end.shape_script, figure.shapes)]
    scripts = "".join(f"<script src='{path.as_uri()}'></script>" for path in paths)
    fonts = "".join(
        f"@font-face {{ font-family: '{name}'; src: url('{Path(get_data_path(), 'fonts', 'ttf', file).as_uri()}'); }}"
        for name, file in FONTS.items()
    )
    data = dict(figure.specification["data"])
    if coarse and "strides" in data:
        data["size"] //= COARSER
        data["strides"] = [stride // COARSER for stride in data["strides"] if stride >= COARSER]
    data_text = json.dumps({**figure.specification, "data": data}, ensure_ascii=False).replace("<", "\\u003c")
    host = f"<div class='live-host' data-id='figure'><script type='application/json'>{data_text}</script></div>"
    head = "<!doctype html><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    return f"{head}<style>{fonts}{style}</style>{scripts}<body>{host}</body>"


def draw(browser: Browser, figure: LiveFigure, folder: Path) -> Image.Image:
    """Return the picture that the view of a figure draws at its start; `folder` receives the page."""
    path = folder / f"{figure.view}.html"
    path.write_text(page_of(figure, STYLE, coarse=True), "utf-8")
    page = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=DOTS, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.wait_for_selector(".live-is-on")
    page.evaluate(READY)
    shot = page.locator(".live-body").screenshot()
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the third largest difference between the mean colours of two pictures' squares, 0 to 255.

    Two squares may differ more: which of two surfaces at the same depth is drawn depends on the processor's rounding.
    Pictures whose heights differ by more than a line of text differ entirely; others are compared as far as both go.
    """
    if one.width != other.width or abs(one.height - other.height) > 2 * CELL:
        return 255.0
    rows, columns = min(one.height, other.height) // CELL, one.width // CELL
    means = [
        np.asarray(picture.convert("RGB"), dtype=np.float64)[: rows * CELL, : columns * CELL]
        .reshape(rows, CELL, columns, CELL, 3)
        .mean(axis=(1, 3))
        for picture in (one, other)
    ]
    return float(np.sort(np.abs(means[0] - means[1]).max(axis=2), axis=None)[-3])


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture with few colours and no metadata."""
    few = picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main() -> None:
    """Draw the pictures of some figures, by default of all."""
    names = [name for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", nargs="*", metavar="FIGURE")
    chosen = parser.parse_args().figures or names
    with browser_in_space() as browser, TemporaryDirectory() as folder:
        for name in chosen:
            figure: LiveFigure = getattr(live, name)()
            save(draw(browser, figure, Path(folder)), figure.opening_path())
            print(
                f"{figure.opening_path().relative_to(ROOT)}: {figure.opening_path().stat().st_size / 1e3:.0f} kB",
                flush=True,
            )


if __name__ == "__main__":
    main()
