UPDATE campaign_members SET saved_rolls = ''
WHERE account_id = :account AND saved_rolls <> ''
RETURNING account_id
