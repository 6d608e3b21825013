-- The last check of a campaign's ledger.
SELECT seq, checked_at, balances, drift FROM ledger_checks WHERE campaign_id = :campaign
