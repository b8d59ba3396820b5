"""Many solves: a study is stated, run on all cores or a cluster, and kept; methods are compared; measurements are read.

What the package hands out stands in the `__all__` of its modules, and is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.studies.comparison import *
    from lessons_lib.studies.matlab_library import *
    from lessons_lib.studies.measurements import *
    from lessons_lib.studies.method_registry import *
    from lessons_lib.studies.results import *
    from lessons_lib.studies.running import *
    from lessons_lib.studies.study import *

__all__, __getattr__ = exports(__name__, __file__)
