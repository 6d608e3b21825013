SELECT account_id, name, password_hash, created_at, disabled_at, invite_id, language FROM accounts WHERE account_id = :account
