-- The same as read_campaigns_of backwards: those before :start, the last ones first.
SELECT m.campaign_id, m.role
FROM campaign_members AS m
WHERE
    m.account_id = :account AND m.campaign_id < :start
    AND NOT EXISTS (
        SELECT FROM campaign_heads AS h WHERE h.campaign_id = m.campaign_id AND h.gone_at IS NOT NULL
    )
ORDER BY m.campaign_id DESC
LIMIT :most
