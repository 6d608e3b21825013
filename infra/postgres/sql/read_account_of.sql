SELECT account_id, name, password_hash, created_at FROM accounts WHERE account_id = :account
