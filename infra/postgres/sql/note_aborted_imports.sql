-- Notes that these may go at once: it was the owner who found that they have no reader.
INSERT INTO seen_deletions (campaign_id, purge_from)
SELECT unnest(%(campaigns)s::uuid []), 0
ON CONFLICT (campaign_id) DO NOTHING
