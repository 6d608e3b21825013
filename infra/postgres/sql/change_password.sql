-- Keeps another password, and makes every token but one worthless, and every link to a new password.
WITH changed AS (
    UPDATE accounts SET password_hash = :password_hash WHERE account_id = :account RETURNING account_id
),

offered AS (
    DELETE FROM account_resets AS r USING changed WHERE r.account_id = changed.account_id
)

UPDATE tokens SET revoked_at = now()
FROM changed
WHERE tokens.account_id = changed.account_id AND tokens.token_id <> :token AND tokens.revoked_at IS NULL
