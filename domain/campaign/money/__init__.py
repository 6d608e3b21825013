"""The ledger in double entry, escrow, and its reconciliation."""
