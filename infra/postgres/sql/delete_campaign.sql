-- Deletes a campaign for one of its GMs, or without :account for the host, to be purged after :grace microseconds; no
-- row: they are none of it, or it is deleted already. From here on no statement names it, and no append gets past its head.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', '{' || head.campaign_id || '}', true) AS named
    FROM campaign_heads AS head WHERE head.campaign_id = (:campaign)
),

clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
),

gone AS (
    UPDATE campaign_heads AS h SET gone_at = (SELECT clock.now FROM clock) + :grace
    WHERE
        h.campaign_id = (:campaign) AND h.gone_at IS NULL AND (SELECT scope.named FROM scope) IS NOT NULL
        AND (
            (:account)::uuid IS NULL
            OR EXISTS (
                SELECT FROM campaign_members AS m
                WHERE m.campaign_id = h.campaign_id AND m.account_id = :account AND m.role = 'gm'
            )
        )
    RETURNING h.campaign_id, h.gone_at
),

noted AS (
    INSERT INTO campaign_deletions (campaign_id, name, deleted_at, deleted_by, rested)
    SELECT gone.campaign_id, :name, clock.now, :account, :rested FROM gone, clock
    RETURNING campaign_id, name, deleted_at, deleted_by, rested
)

SELECT noted.campaign_id, noted.name, noted.deleted_at, noted.deleted_by, gone.gone_at, noted.rested
FROM noted, gone
