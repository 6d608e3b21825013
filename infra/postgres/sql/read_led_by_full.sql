-- The campaigns of which every GM leads campaigns that take so many bytes or more together, deleted ones too.
WITH full_accounts AS (
    SELECT m.account_id
    FROM campaign_members AS m
    INNER JOIN campaign_heads AS h ON m.campaign_id = h.campaign_id
    WHERE m.role = 'gm'
    GROUP BY m.account_id
    HAVING sum(h.bytes) >= :least
)

SELECT DISTINCT m.campaign_id
FROM campaign_members AS m
INNER JOIN full_accounts ON m.account_id = full_accounts.account_id
WHERE
    m.role = 'gm' AND NOT EXISTS (
        SELECT FROM campaign_members AS other
        WHERE
            other.campaign_id = m.campaign_id AND other.role = 'gm'
            AND other.account_id NOT IN (SELECT account_id FROM full_accounts)
    )
