SELECT account_id, name FROM accounts WHERE NOT looks_noted ORDER BY account_id LIMIT :most
