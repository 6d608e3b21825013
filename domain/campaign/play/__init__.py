"""Play outside the rule systems: sessions, notes, free rolls, characters."""
