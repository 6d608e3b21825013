-- Replaces what a member keeps, unless it has changed meanwhile.
UPDATE campaign_members SET saved_rolls = :after
WHERE campaign_id = :campaign AND account_id = :account AND saved_rolls = :before
RETURNING account_id
