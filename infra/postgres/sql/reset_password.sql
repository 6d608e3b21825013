-- Uses a link up: keeps another password, and makes every token worthless. No row: the link is none, or used, or over.
WITH used AS (
    DELETE FROM account_resets WHERE code_hash = :code_hash AND expires_at > now() RETURNING account_id
),

changed AS (
    UPDATE accounts AS a SET password_hash = :password_hash
    FROM used
    WHERE a.account_id = used.account_id
    RETURNING a.account_id
),

signed_out AS (
    UPDATE tokens AS t SET revoked_at = now()
    FROM changed
    WHERE t.account_id = changed.account_id AND t.revoked_at IS NULL
)

SELECT changed.account_id FROM changed
