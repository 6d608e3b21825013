-- How many bytes the campaigns take that an account is a GM of, deleted ones too.
SELECT coalesce(sum(h.bytes), 0)::bigint
FROM campaign_members AS m
INNER JOIN campaign_heads AS h ON m.campaign_id = h.campaign_id
WHERE m.account_id = :account AND m.role = 'gm'
