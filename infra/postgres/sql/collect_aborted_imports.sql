-- Marks aborted imports as deleted: imported campaigns without events for an hour that still have no member. An import
-- that goes on after all finds its campaign deleted, and is refused.
WITH quiet AS MATERIALIZED (
    SELECT h.campaign_id
    FROM campaign_heads AS h
    WHERE
        h.gone_at IS NULL
        AND h.recorded_at < (extract(EPOCH FROM clock_timestamp()) - 3600) * 1000000
        AND NOT EXISTS (SELECT FROM campaign_members AS m WHERE m.campaign_id = h.campaign_id)
),

scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce((SELECT array_agg(quiet.campaign_id) FROM quiet)::text, '{}'), true) AS named
),

dead AS MATERIALIZED (
    SELECT opening.campaign_id
    FROM events AS opening
    WHERE
        opening.campaign_id IN (SELECT quiet.campaign_id FROM quiet)
        AND (SELECT scope.named FROM scope) IS NOT NULL
        AND opening.seq = 1 AND opening.kind = 'campaign.imported'
        AND NOT EXISTS (
            SELECT FROM events AS e
            WHERE
                e.campaign_id = opening.campaign_id AND e.kind = 'campaign.import_completed'
                AND e.cause NOT LIKE 'import:%'
        )
)

UPDATE campaign_heads AS h
SET gone_at = (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint
FROM dead
WHERE h.campaign_id = dead.campaign_id
RETURNING h.campaign_id
