-- How many campaigns have a ledger that is not right.
SELECT count(*) FROM ledger_checks WHERE drifting
