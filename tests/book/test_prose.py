"""`prose.glue` stores the same output as MyST-NB's `glue`."""

from typing import Any

import pytest
from IPython.utils.capture import capture_output
from myst_nb.ext import glue as of_myst_nb

from lessons_lib.course.prose import glue


def outputs(keep: Any, *given: Any) -> list[tuple[Any, Any]]:
    with capture_output() as captured:
        keep("gap", "0.1 'mm'", *given)
    return [(output.data, output.metadata) for output in captured.outputs]


@pytest.mark.filterwarnings("ignore")  # MyST-NB's own
def test_glue_stores_the_output_of_myst_nb() -> None:
    assert outputs(glue) == outputs(of_myst_nb.glue, False)
