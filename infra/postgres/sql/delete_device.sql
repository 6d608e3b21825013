DELETE FROM account_devices WHERE token_id = :device AND account_id = :account RETURNING token_id
