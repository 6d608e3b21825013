-- The event's body keeps the salted hash, so its chain stays valid.
DELETE FROM personal_text WHERE campaign_id = :campaign AND seq = :seq RETURNING seq
