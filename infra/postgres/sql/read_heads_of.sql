-- Where the logs of an account's campaigns end.
SELECT m.campaign_id, h.seq
FROM campaign_members AS m
INNER JOIN campaign_heads AS h ON m.campaign_id = h.campaign_id
WHERE m.account_id = :account
