"""How long each live figure's script takes: `python front/timing.py [VIEW …]`, in the Chromium or Chrome that is there.

Each figure is opened in a page of its own from a folder. "start" is what its script does before the first picture;
then one slider after the other walks a frame at a time, and "median" and "most" are what a drawing takes in
JavaScript. What the graphics card does afterwards does not count, so a machine without one tells the same.
"""

import json
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from build import bundle
from playwright.sync_api import Browser, sync_playwright

from lessons_lib import live
from lessons_lib.live import front_end
from lessons_lib.live.figure import LiveFigure

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "book")]
from chromium import browser_path  # noqa: E402

WATCH = """
globalThis.spent = { start: 0, draws: [] };
const timed = (what, tell) => (...given) => {
  const before = performance.now();
  what(...given);
  tell(performance.now() - before);
};
const frame = globalThis.requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (what) => frame(timed(what, (ms) => spent.draws.push(ms)));
const hear = document.addEventListener.bind(document);
document.addEventListener = (name, what, ...more) =>
  hear(name, name === "DOMContentLoaded" ? timed(what, (ms) => { spent.start += ms; }) : what, ...more);
"""
WALK = """async (frames) => {
  const stage = document.querySelector(".live-stage");
  const frame = () => new Promise((done) => setTimeout(done, 20));
  for (let k = 0; k < 5; k++) await frame();
  spent.draws.length = 0;
  for (const slider of document.querySelectorAll(".live-row:not([hidden]) .live-slider")) {
    const [low, high, step] = [slider.min, slider.max, slider.step].map(Number);
    for (let k = 1; k <= frames; k++) {
      slider.value = low + step * Math.round(((high - low) / step) * (k / (frames + 1)));
      slider.dispatchEvent(new Event("input"));
      while (stage.dataset.stale !== undefined) await frame();
    }
  }
  return spent;
}"""
FRAMES = 20
"""Of each slider."""


def page(figure: LiveFigure) -> str:
    """Return a page with one figure, which loads what a page of the book loads."""
    names = ["live.js", *(["live3d.js"] if figure.bundle == "widget3d" else [])]
    paths = [*(front_end.FOLDER / name for name in names), *map(front_end.shape_script, figure.shapes)]
    scripts = "".join(f'<script defer src="{path.as_uri()}"></script>' for path in paths)
    told = json.dumps(figure.specification).replace("<", "\\u003c")
    host = f'<div class="live-host" data-id="f"><script type="application/json">{told}</script></div>'
    return f"<!doctype html><meta charset=utf-8><body style='width:760px'>{scripts}{host}"


def spent(browser: Browser, figure: LiveFigure, folder: Path) -> tuple[float, list[float]]:
    """Return what the script took before the first picture, and for each drawing, ms."""
    path = folder / f"{figure.view}.html"
    path.write_text(page(figure), "utf-8")
    tab = browser.new_page(viewport={"width": 800, "height": 1400}, reduced_motion="reduce")
    tab.add_init_script(WATCH)
    tab.goto(path.as_uri())
    tab.locator(".live-is-on").wait_for()
    told = tab.evaluate(WALK, FRAMES)
    tab.close()
    return told["start"], told["draws"]


def main(wanted: list[str]) -> None:
    """Print a line for each figure, or for those whose views are named."""
    bundle()
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
    print(f"{'figure':<14}{'start':>8}{'median':>9}{'most':>9}   ms of JavaScript")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=flags)
        for name in sorted(name for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure"):
            make = getattr(live, name)
            if not wanted or make.view in wanted:
                start, draws = spent(browser, make(), Path(folder))
                print(f"{make.view:<14}{start:>8.0f}{median(draws):>9.1f}{max(draws):>9.1f}", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
