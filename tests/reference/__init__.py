"""Pages of docs/ that are made from the source: `python -m tests.reference` writes them, a test compares them."""
