-- Holds the head of a campaign that may be purged by now; no row: nobody may.
SELECT campaign_id FROM campaign_heads
WHERE campaign_id = %(campaign)s AND gone_at <= extract(EPOCH FROM clock_timestamp()) * 1000000
FOR UPDATE
