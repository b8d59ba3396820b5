"""Live figures: one object that moves in JupyterLab and in the published book, each file loaded on first use.

Each module exports the names in its `__all__`.

**A figure in six steps.** `course/inverse_kinematics/live.py` with `view.ts` beside it is the smallest to copy;
`course/twists/live_pushes.py` derives its own kernels, and `course/twists/live_screw.py` draws in space.

1. *The model*: each `codegen.Kernel` with expressions of `symbolic`, printed by `codegen.source(kernels,
   "javascript")`. No kinematics and no solver is written in TypeScript: a view calls `stage.kernels.NAME(inputs)`, and
   draws. For iterations, `search.py` prints the search of `pose_ik`, which `front/src/solver.ts` calls;
   `front/src/step.ts` is the step of `solve_ik`. The script is `@derived_once`, and its function imports SymPy inside
   the body, so that a figure with a cached script loads no SymPy.
2. *The object*: a class that derives from `LiveFigure` and passes its controls to it (`Control`, `LogSlider`, `Choice`,
   `Switch`), with the name of its view, `title`, `about` (a description of the picture), a `question` for the reader,
   and its `answer`.
3. *The view*: `view.ts` beside `live.py` draws an SVG with `front/src/flat` or a scene with `front/src/space`. It
   exports a function of the view's name. This function creates its elements once and returns `draw()`, which updates
   them from `stage.state` and describes the state: a sentence, a tone, a table.
   `front/build.py` finds it. A draggable element is a `Handle`, which handles mouse, touch and keys, with a name for
   screen readers; `controlHandle` makes one that moves controls. `memo` keeps a value until its inputs change. Colours
   are variables of `style.css`, which define light and dark. Bad states are explained. The drawing, the verdict and
   any one control fit together in a laptop's window and on a phone, which a test measures.
   Reset restores the opening: a view that depends on more than its controls has a `reset`. Computations of seconds run
   in a worker (`import text from "worker:FILE.ts"`).
4. *The lesson*: `NAMEFigure()` as a cell's last line, with caption and alternative text. On other pages: the
   directive `{live-figure} NAMEFigure`.
5. *The tests*: its kernels under Node against the library, in `tests/live/`; beside the figure a `check.py`, which
   compares the displayed numbers with Python's, drags a handle, and types further states.
6. *The picture*: `python -m tools.opening_pictures NAMEFigure` draws its opening state with its view. Stored notebooks,
   paper and pages without scripts show this file; a test compares it with what the view draws.

The UR10 and the Panda are drawn with meshes of example-robot-data, packed into `shapes/` by `front/shapes.py`. esbuild
and three.js come from `front/package-lock.json`, which names no host; only the tests need Node. `saved.py`, an
extension of Jupyter Server, removes live views when saving, so that this picture is shown without a kernel.
"""

from pathlib import Path

from lessons_lib.lazy import exports

_FIGURES = Path(__file__).parents[1].glob("*/live*.py")
__all__, __getattr__ = exports(__name__, __file__, extra="course", beside=_FIGURES)
