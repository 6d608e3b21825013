-- A sign-in that was a device before goes on from where it was; another one that is called at the same place is called
-- there no more. No row: the account has too many, or the sign-in is over.
WITH others AS (
    DELETE FROM account_devices WHERE endpoint_hash = :endpoint_hash AND token_id <> :device
)

INSERT INTO account_devices (
    token_id, account_id, endpoint_hash, host, sealed, with_words, language, created_at, places, attempts, due_at
)
SELECT
    t.token_id, t.account_id, :endpoint_hash, :host, :sealed, :with_words, :language, :created_at, (:places)::jsonb, 0,
    :created_at
FROM tokens AS t
WHERE
    t.token_id = :device AND t.account_id = :account
    AND (
        SELECT count(*) FROM account_devices AS d
        INNER JOIN tokens AS o ON d.token_id = o.token_id
        WHERE
            d.account_id = :account AND d.token_id <> :device AND d.endpoint_hash <> :endpoint_hash
            AND o.revoked_at IS NULL AND (o.expires_at IS NULL OR o.expires_at > now())
            AND (o.ends_at IS NULL OR o.ends_at > now())
    ) < :most
ON CONFLICT (token_id) DO UPDATE SET
    endpoint_hash = excluded.endpoint_hash, host = excluded.host, sealed = excluded.sealed,
    with_words = excluded.with_words, language = excluded.language, attempts = 0, due_at = excluded.due_at,
    failing_since = NULL, parked_at = NULL, fault = NULL
RETURNING token_id
