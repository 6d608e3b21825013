-- The feeds of an account in all campaigns.
SELECT campaign_id, feed_made_at FROM campaign_members
WHERE account_id = :account AND feed_made_at IS NOT NULL
