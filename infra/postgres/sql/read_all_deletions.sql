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
),

names AS MATERIALIZED (
    SELECT d.campaign_id, d.name FROM campaign_deletions AS d
    WHERE d.campaign_id IN (SELECT gone.campaign_id FROM gone) AND (SELECT scope.named FROM scope) IS NOT NULL
)

SELECT
    gone.campaign_id, names.name, gone.may_go_at,
    gone.was_seen AND gone.may_go_at <= extract(EPOCH FROM clock_timestamp()) * 1000000 AS is_due
FROM gone
LEFT JOIN names ON gone.campaign_id = names.campaign_id
ORDER BY gone.may_go_at, gone.campaign_id
