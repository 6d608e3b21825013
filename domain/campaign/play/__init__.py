"""Play outside the rule systems: sessions, notes, free rolls, characters, and requests for an undo."""
