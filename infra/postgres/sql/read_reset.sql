SELECT a.account_id, a.name, a.password_hash, a.created_at, a.disabled_at
FROM account_resets AS r
INNER JOIN accounts AS a ON r.account_id = a.account_id
WHERE r.code_hash = :code_hash AND r.expires_at > now()
