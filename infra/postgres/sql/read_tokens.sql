SELECT token_id, label, created_at, last_used_at
FROM tokens
WHERE account_id = :account AND revoked_at IS NULL AND expires_at IS NULL
ORDER BY created_at, token_id
