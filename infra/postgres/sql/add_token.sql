INSERT INTO tokens (token_id, account_id, label, token_hash)
VALUES (:token, :account, :label, :token_hash)
