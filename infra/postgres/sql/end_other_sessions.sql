DELETE FROM tokens
WHERE account_id = :account AND token_id <> :token AND expires_at IS NOT NULL
