-- Where campaigns' logs end that went on after a moment (:since, microseconds UTC), from behind the campaign :after on.
SELECT campaign_id, seq, hash, recorded_at FROM campaign_heads
WHERE gone_at IS NULL AND recorded_at > :since AND campaign_id > :after
ORDER BY campaign_id
LIMIT :most
