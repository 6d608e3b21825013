-- The stored folds of a campaign.
SELECT audience, seq, form, content FROM stored_folds WHERE campaign_id = :campaign
