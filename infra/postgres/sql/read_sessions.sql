SELECT token_id, label, created_at, last_used_at, expires_at
FROM tokens
WHERE account_id = :account AND revoked_at IS NULL AND expires_at > now()
ORDER BY token_id
