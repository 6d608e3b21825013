"""The erasure of personal texts."""
