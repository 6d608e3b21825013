DELETE FROM tokens
WHERE token_id = :token AND account_id = :account AND revoked_at IS NULL AND expires_at > now()
RETURNING token_id
