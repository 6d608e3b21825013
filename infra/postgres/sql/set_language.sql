UPDATE accounts SET language = :language WHERE account_id = :account
