-- Makes a deleted campaign what it was, for one of its GMs, or without :account for the host; no row: it is not deleted, or they are none of it.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', '{' || head.campaign_id || '}', true) AS named
    FROM campaign_heads AS head WHERE head.campaign_id = (:campaign)
),

back AS (
    UPDATE campaign_heads AS h SET gone_at = NULL
    WHERE
        h.campaign_id = (:campaign) AND h.gone_at IS NOT NULL AND (SELECT scope.named FROM scope) IS NOT NULL
        AND (
            (:account)::uuid IS NULL
            OR EXISTS (
                SELECT FROM campaign_members AS m
                WHERE m.campaign_id = h.campaign_id AND m.account_id = :account AND m.role = 'gm'
            )
        )
    RETURNING h.campaign_id
)

DELETE FROM campaign_deletions AS d
USING back
WHERE d.campaign_id = back.campaign_id AND (SELECT scope.named FROM scope) IS NOT NULL
RETURNING d.rested
