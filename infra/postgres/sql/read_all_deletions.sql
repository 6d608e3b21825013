-- Every deleted campaign, with the name it had, from when on it may be purged, and whether that is now.
WITH gone AS MATERIALIZED (
    SELECT campaign_id, gone_at FROM campaign_heads WHERE gone_at IS NOT NULL
),

scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce((SELECT array_agg(gone.campaign_id) FROM gone)::text, '{}'), true) AS named
)

SELECT
    gone.campaign_id, d.name, gone.gone_at,
    gone.gone_at <= extract(EPOCH FROM clock_timestamp()) * 1000000 AS is_due
FROM gone
LEFT JOIN campaign_deletions AS d ON gone.campaign_id = d.campaign_id
WHERE (SELECT scope.named FROM scope) IS NOT NULL
ORDER BY gone.gone_at, gone.campaign_id
