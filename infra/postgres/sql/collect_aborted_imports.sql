-- Marks aborted imports as deleted: imported campaigns without events for an hour that still have no member. An import
-- that goes on after all finds its campaign deleted, and is refused. Of campaigns that `read_quiet` found, and that the
-- transaction has named.
WITH dead AS MATERIALIZED (
    SELECT opening.campaign_id
    FROM events AS opening
    WHERE
        opening.seq = 1 AND opening.kind = 'campaign.imported'
        AND opening.campaign_id = ANY(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])
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
