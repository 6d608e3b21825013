-- A page of the campaigns that an account is a member of, in the order of their ids.
SELECT campaign_id, role
FROM campaign_members
WHERE account_id = :account AND campaign_id > :after
ORDER BY campaign_id
LIMIT :most
