"""What people wrote themselves, and its erasure."""
