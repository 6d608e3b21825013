SELECT account_id, key, request_hash, action_id, answer
FROM idempotency_keys
WHERE campaign_id = :campaign AND account_id = :account AND key = :key
