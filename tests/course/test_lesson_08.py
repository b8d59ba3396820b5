"""One step of Newton is drawn as the arm makes it, beside the tangent that the linear model promises."""
