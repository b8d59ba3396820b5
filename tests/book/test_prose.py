"""What a cell keeps for the prose is what MyST-NB keeps."""

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
def test_it_keeps_what_myst_nb_keeps() -> None:
    assert outputs(glue) == outputs(of_myst_nb.glue, False)
