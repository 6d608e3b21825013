UPDATE account_devices SET with_words = :with_words
WHERE token_id = :device AND account_id = :account
RETURNING token_id
