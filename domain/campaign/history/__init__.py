"""Undo and redo: the actions that depend on another one, and the readers who are told."""
