"""The layers that every request passes: limits, language, sign-in, its origin, the form of its answer."""
