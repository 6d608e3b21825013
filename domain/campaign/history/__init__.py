"""Undo and redo: what depends on an action, and who is told."""
