"""What people do at the table that no rule system owns: sessions, notes, free rolls, characters."""
