-- The campaigns that would be left to members without a GM if an account went, in the order of their ids.
SELECT m.campaign_id
FROM campaign_members AS m
WHERE
    m.account_id = :account AND m.role = 'gm'
    AND NOT EXISTS (
        SELECT FROM campaign_heads AS h WHERE h.campaign_id = m.campaign_id AND h.gone_at IS NOT NULL
    )
    AND EXISTS (
        SELECT FROM campaign_members AS o
        WHERE o.campaign_id = m.campaign_id AND o.account_id <> m.account_id
    )
    AND NOT EXISTS (
        SELECT FROM campaign_members AS o
        WHERE o.campaign_id = m.campaign_id AND o.account_id <> m.account_id AND o.role = 'gm'
    )
ORDER BY m.campaign_id
LIMIT :most
