-- The stored fold of a campaign for one audience.
SELECT audience, seq, form, content FROM stored_folds WHERE campaign_id = :campaign AND audience = :audience
