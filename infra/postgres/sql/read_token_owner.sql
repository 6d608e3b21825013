-- Whose token it is, unless it was revoked; notes its use once an hour, not at every request.
WITH owner AS MATERIALIZED (
    SELECT t.token_id, t.account_id, a.name
    FROM tokens AS t
    INNER JOIN accounts AS a ON t.account_id = a.account_id
    WHERE t.token_hash = :token_hash AND t.revoked_at IS NULL
),

noted AS (
    UPDATE tokens SET last_used_at = now()
    WHERE
        token_id = (SELECT owner.token_id FROM owner)
        AND (last_used_at IS NULL OR last_used_at < now() - interval '1 hour')
)

SELECT token_id, account_id, name FROM owner
