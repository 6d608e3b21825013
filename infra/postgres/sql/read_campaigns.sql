-- A page of all campaigns, in the order of their ids.
SELECT campaign_id FROM campaign_heads WHERE campaign_id > :after ORDER BY campaign_id LIMIT :most
