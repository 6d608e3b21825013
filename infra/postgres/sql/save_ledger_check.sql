-- Keeps a check of a campaign's ledger. Several may check at once: each has added up the same.
INSERT INTO ledger_checks AS old (campaign_id, seq, checked_at, balances, drift, drifting)
SELECT
    this.campaign_id, :seq, (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint, :balances, :drift,
    :drift <> '[]'::bytea
FROM (VALUES (:campaign)) AS this (campaign_id)
WHERE this.campaign_id = :campaign
ON CONFLICT (campaign_id) DO UPDATE
SET
    seq = excluded.seq, checked_at = excluded.checked_at, balances = excluded.balances,
    drift = excluded.drift, drifting = excluded.drifting
