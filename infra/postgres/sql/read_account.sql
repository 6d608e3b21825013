SELECT account_id, name, password_hash, created_at FROM accounts WHERE name_key = :name_key
