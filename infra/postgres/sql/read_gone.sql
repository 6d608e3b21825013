-- Which of these campaigns are deleted, or not there at all.
SELECT c.campaign_id
FROM unnest(:campaigns) AS c (campaign_id)
WHERE NOT EXISTS (
    SELECT FROM campaign_heads AS h WHERE h.campaign_id = c.campaign_id AND h.gone_at IS NULL
)
