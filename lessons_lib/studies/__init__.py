"""Studies of many solves on all cores or a cluster, and comparisons of methods.

The public names are in the `__all__` of the modules, which are loaded on first use.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.studies.comparison import *
    from lessons_lib.studies.method_registry import *
    from lessons_lib.studies.running import *
    from lessons_lib.studies.study import *
    from lessons_lib.studies.tables import *

__all__, __getattr__ = exports(__name__, __file__)
