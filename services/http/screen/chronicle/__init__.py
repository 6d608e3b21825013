"""What happened: the chronicle, undo, reveals, comparisons, explanations."""
