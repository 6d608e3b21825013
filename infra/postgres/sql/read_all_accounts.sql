-- A page of all accounts in the order of their names, for the host: those whose name has a part, or that are disabled.
SELECT
    a.account_id, a.name, a.created_at, a.disabled_at,
    (SELECT max(t.last_used_at) FROM tokens AS t WHERE t.account_id = a.account_id) AS last_used_at,
    (SELECT count(*) FROM campaign_members AS m WHERE m.account_id = a.account_id) AS campaigns,
    (
        SELECT e.due_at FROM account_erasures AS e WHERE e.account_id = a.account_id AND e.what = 'account'
    ) AS leaving_at
FROM accounts AS a
WHERE
    a.name_key > :after AND position(:part IN a.name_key) > 0
    AND (a.disabled_at IS NOT NULL OR NOT :only_disabled)
ORDER BY a.name_key
LIMIT :most
