"""Live figures: one object that moves in JupyterLab and in the published book, each file loaded on first use.

What a file hands out stands in its own `__all__`.

**A figure in six steps.** `course/inverse_kinematics/live.py` with `view.ts` beside it is the smallest to copy;
`course/twists/live_screw.py` draws in space.

1. *The model*: each `codegen.Kernel` with expressions of `symbolic`, printed by `codegen.source(kernels,
   "javascript")`. No kinematics and no solver is typed in TypeScript: a view calls `stage.kernels.NAME(inputs)`, and
   draws. For what iterates, `search.py` prints the search of `pose_ik`, which `front/src/solver.ts` calls;
   `front/src/step.ts` is that of `solve_ik`. The script is `@derived_once`, and what derives it imports SymPy inside
   the function: a figure whose script is there loads none.
2. *The object*: a class that derives from `LiveFigure`, with `CONTROLS` (`Control`, `Ladder`, `Choice`, `Switch`),
   the name of its view, `title`, `about` (what the eye sees), a `question` to be answered by playing, and its `answer`.
3. *The view*: `view.ts` beside `live.py` draws an SVG with `front/src/flat` or a scene with `front/src/space`. It
   exports a function of the view's name. This function makes its elements once and returns `draw()`, which moves them
   to what `stage.state` holds and says it: a sentence, a tone, a table.
   `front/build.py` finds it. What is dragged is a `Handle`, which brings mouse, touch, keys and a name for screen
   readers. Colours are names of `style.css`, so that light and dark need nothing. Bad states are drawn and
   explained. No picture is higher than half the window. What takes seconds runs beside the page (`import text from
   "worker:FILE.ts"`).
4. *The lesson*: `NAMEFigure()` as a cell's last line, with caption and alternative text. On a page that is no
   notebook: the directive `{live-figure} NAMEFigure`.
5. *The tests*: its kernels under Node against the library, in `tests/live/`; beside the figure a `check.py`, which
   compares the numbers shown with Python's, and names a handle and further states. Then it is dragged and typed into.
6. *The picture*: `python -m tools.opening_pictures NAMEFigure` draws its opening state with its view. Stored notebooks,
   paper and pages without scripts show this file; a test compares it with what the view draws.

The UR10 and the Panda wear meshes of example-robot-data; `front/shapes.py` has packed them into `shapes/`. esbuild and
three.js come from `front/package-lock.json`, which names no host; Node is needed by the tests alone. `saved.py`, an
extension of Jupyter Server, leaves a live view out of what is saved, so that this picture is shown where no kernel
runs.
"""

from pathlib import Path

from lessons_lib.lazy import exports

_FIGURES = Path(__file__).parents[1].glob("*/live*.py")
__all__, __getattr__ = exports(__name__, __file__, extra="course", beside=_FIGURES)
