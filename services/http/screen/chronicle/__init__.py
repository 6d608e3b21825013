"""The past: the chronicle, undo, reveals, comparisons, explanations."""
