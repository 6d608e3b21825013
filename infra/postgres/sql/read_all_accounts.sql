-- A page of all accounts in the order of their names, for the host: those whose name has a part, or that are disabled.
WITH page AS MATERIALIZED (
    SELECT
        a.account_id, a.name, a.name_key, a.created_at, a.disabled_at,
        (SELECT max(t.last_used_at) FROM tokens AS t WHERE t.account_id = a.account_id) AS last_used_at,
        (
            SELECT e.due_at FROM account_erasures AS e WHERE e.account_id = a.account_id AND e.what = 'account'
        ) AS leaving_at
    FROM accounts AS a
    WHERE
        a.name_key > :after AND position(:part IN a.name_key) > 0
        AND (a.disabled_at IS NOT NULL OR NOT :only_disabled)
    ORDER BY a.name_key
    LIMIT :most
),

belonging AS MATERIALIZED (
    SELECT m.account_id, count(*) AS campaigns
    FROM campaign_members AS m
    WHERE m.account_id IN (SELECT page.account_id FROM page)
    GROUP BY m.account_id
)

SELECT
    page.account_id, page.name, page.created_at, page.disabled_at, page.last_used_at,
    coalesce(belonging.campaigns, 0) AS campaigns,
    page.leaving_at
FROM page
LEFT JOIN belonging ON page.account_id = belonging.account_id
ORDER BY page.name_key
