"""What campaigns owe themselves, and how it happens when its moment has come."""
