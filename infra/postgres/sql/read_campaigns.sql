-- A page of all campaigns that are not deleted, in the order of their ids.
SELECT campaign_id FROM campaign_heads WHERE campaign_id > :after AND gone_at IS NULL ORDER BY campaign_id LIMIT :most
