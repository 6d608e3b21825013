-- How many campaigns have a ledger that is not right.
SELECT count(*) FROM checked_ledgers WHERE drifting
