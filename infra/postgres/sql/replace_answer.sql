-- Gives another answer to repetitions of a request from now on, unless it was changed meanwhile.
UPDATE idempotency_keys SET answer = :answer
WHERE campaign_id = :campaign AND account_id = :account AND key = :key AND answer = :before
RETURNING key
