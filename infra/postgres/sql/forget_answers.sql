-- Who will never ask again needs no answers; the keys stay used.
UPDATE idempotency_keys SET request_hash = '', answer = ''
WHERE campaign_id = :campaign AND account_id = :account AND answer <> ''
RETURNING key
