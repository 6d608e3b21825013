-- A page of all campaigns in the order of their ids, for the host: those of one member, or those that are deleted, with
-- the names of these.
WITH page AS MATERIALIZED (
    SELECT h.campaign_id, h.seq, h.recorded_at, h.gone_at, h.bytes
    FROM campaign_heads AS h
    WHERE
        h.campaign_id > :after AND (h.gone_at IS NOT NULL OR NOT :only_deleted)
        AND (
            (:member)::uuid IS NULL
            OR EXISTS (
                SELECT FROM campaign_members AS m
                WHERE m.campaign_id = h.campaign_id AND m.account_id = (:member)::uuid
            )
        )
    ORDER BY h.campaign_id
    LIMIT :most
),

scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce((SELECT array_agg(page.campaign_id) FROM page)::text, '{}'), true) AS named
),

names AS MATERIALIZED (
    SELECT d.campaign_id, d.name FROM campaign_deletions AS d
    WHERE d.campaign_id IN (SELECT page.campaign_id FROM page) AND (SELECT scope.named FROM scope) IS NOT NULL
)

SELECT page.campaign_id, page.seq, page.recorded_at, page.gone_at, names.name, page.bytes
FROM page
LEFT JOIN names ON page.campaign_id = names.campaign_id
ORDER BY page.campaign_id
