-- Campaigns whose stored views are behind, from :first on in the order of their ids.
SELECT campaign_id FROM campaign_heads
WHERE behind AND gone_at IS NULL AND campaign_id >= :first
ORDER BY campaign_id
LIMIT :most
