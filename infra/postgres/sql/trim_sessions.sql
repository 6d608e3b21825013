-- Deletes an account's sessions that are over, and of the others all but the :most that were used last.
DELETE FROM tokens
USING (
    SELECT
        token_id,
        row_number() OVER (
            ORDER BY revoked_at IS NULL AND expires_at > now() DESC, last_used_at DESC, token_id DESC
        ) AS place,
        revoked_at IS NULL AND expires_at > now() AS is_valid
    FROM tokens
    WHERE account_id = :account AND expires_at IS NOT NULL
) AS ranked
WHERE tokens.token_id = ranked.token_id AND (ranked.place > :most OR NOT ranked.is_valid)
