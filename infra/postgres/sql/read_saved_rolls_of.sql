-- What an account keeps in all campaigns.
SELECT campaign_id, saved_rolls FROM campaign_members
WHERE account_id = :account AND saved_rolls <> ''
