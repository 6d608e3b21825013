-- Every deleted campaign, with the name it had, from when on it may be purged, and whether that is now. What no purge has
-- seen yet may go after a grace of so many days.
WITH gone AS MATERIALIZED (
    SELECT
        h.campaign_id,
        s.purge_from IS NOT NULL AS was_seen,
        greatest(
            h.gone_at,
            coalesce(
                s.purge_from,
                (extract(EPOCH FROM clock_timestamp() + make_interval(days => %(days)s)) * 1000000)::bigint
            )
        ) AS may_go_at
    FROM campaign_heads AS h
    LEFT JOIN seen_deletions AS s ON h.campaign_id = s.campaign_id
    WHERE h.gone_at IS NOT NULL
),

scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce((SELECT array_agg(gone.campaign_id) FROM gone)::text, '{}'), true) AS named
)

SELECT
    gone.campaign_id, d.name, gone.may_go_at,
    gone.was_seen AND gone.may_go_at <= extract(EPOCH FROM clock_timestamp()) * 1000000 AS is_due
FROM gone
LEFT JOIN campaign_deletions AS d ON gone.campaign_id = d.campaign_id
WHERE (SELECT scope.named FROM scope) IS NOT NULL
ORDER BY gone.may_go_at, gone.campaign_id
