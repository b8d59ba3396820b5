"""Sine and cosine with a proven error bound, both derived by symbolic/sine_cosine.py."""


def text() -> str:
    from lessons_lib.codegen.scalar_target import bounded_sine_cosine_text
    from lessons_lib.symbolic import sine_cosine

    constants = {"SINE_COSINE_ERROR": sine_cosine.rounding_error(), "LARGEST_ANGLE": sine_cosine.LARGEST_ANGLE}
    return "\n".join(f"{name} = {value!r}" for name, value in constants.items()) + "\n\n\n" + bounded_sine_cosine_text()
