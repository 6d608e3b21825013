-- Where the logs of several campaigns end, and whether they are deleted; takes no lock.
SELECT campaign_id, seq, hash, gone_at FROM campaign_heads WHERE campaign_id = ANY(:campaigns)
