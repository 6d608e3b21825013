-- A page of the deleted campaigns that an account is a GM of, in the order of their ids.
WITH mine AS MATERIALIZED (
    SELECT h.campaign_id, h.gone_at
    FROM campaign_members AS m
    INNER JOIN campaign_heads AS h ON m.campaign_id = h.campaign_id
    WHERE m.account_id = :account AND m.role = 'gm' AND m.campaign_id > :start AND h.gone_at IS NOT NULL
    ORDER BY h.campaign_id
    LIMIT :most
),

scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce((SELECT array_agg(mine.campaign_id) FROM mine)::text, '{}'), true) AS named
)

SELECT d.campaign_id, d.name, d.deleted_at, d.deleted_by, mine.gone_at, d.rested
FROM mine
INNER JOIN campaign_deletions AS d ON mine.campaign_id = d.campaign_id
WHERE (SELECT scope.named FROM scope) IS NOT NULL
ORDER BY d.campaign_id
