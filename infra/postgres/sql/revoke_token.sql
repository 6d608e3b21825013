UPDATE tokens SET revoked_at = now()
WHERE token_id = :token AND account_id = :account AND revoked_at IS NULL AND expires_at IS NULL
RETURNING token_id
