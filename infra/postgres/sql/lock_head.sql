-- Locks a campaign until the transaction ends: no other session appends to it or stores its projections.
SELECT seq FROM campaign_heads WHERE campaign_id = :campaign FOR UPDATE
