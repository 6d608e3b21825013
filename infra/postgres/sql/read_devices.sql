-- The devices of an account whose sign-ins are not over.
SELECT
    d.token_id, d.account_id, d.endpoint_hash, d.host, d.sealed, d.with_words, coalesce(a.language, d.language) AS language,
    d.created_at, d.places::text AS places, d.attempts, d.due_at, d.failing_since, d.parked_at, d.fault
FROM account_devices AS d
INNER JOIN tokens AS t ON d.token_id = t.token_id
INNER JOIN accounts AS a ON d.account_id = a.account_id
WHERE
    d.account_id = :account AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    AND (t.ends_at IS NULL OR t.ends_at > now())
ORDER BY d.created_at, d.token_id
