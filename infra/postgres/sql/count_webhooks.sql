SELECT
    count(*) FILTER (WHERE w.failing_since IS NOT NULL AND w.parked_at IS NULL) AS failing,
    count(*) FILTER (WHERE w.parked_at IS NOT NULL) AS parked
FROM webhooks AS w
INNER JOIN campaign_heads AS h ON w.campaign_id = h.campaign_id
WHERE h.gone_at IS NULL
