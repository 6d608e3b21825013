SELECT account_id, name FROM accounts WHERE account_id = ANY (:accounts)
