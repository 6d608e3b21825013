"""Commands on the past: undo, redo, reveal, correct, erase; a preview is the same plan that is not committed."""
