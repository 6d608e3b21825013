"""Money: balances and statements."""
