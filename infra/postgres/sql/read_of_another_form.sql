-- Campaigns after :after in the order of their ids that are not behind, but whose views are stored in another form.
SELECT campaign_id FROM campaign_heads
WHERE campaign_id > :after AND form <> :form AND NOT behind AND gone_at IS NULL
ORDER BY campaign_id
LIMIT :most
