-- Notes from when on what is deleted may go, for what was not seen so before: after a grace of so many days.
INSERT INTO seen_deletions (campaign_id, purge_from)
SELECT campaign_id, (extract(EPOCH FROM statement_timestamp() + make_interval(days => %(days)s)) * 1000000)::bigint
FROM campaign_heads
WHERE gone_at IS NOT NULL
ON CONFLICT (campaign_id) DO NOTHING
