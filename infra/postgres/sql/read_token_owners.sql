-- Whose tokens these are, but for those that were revoked or have expired (or, without an end, were not used for :unused seconds), and whether the use of each is to be noted: once an hour, not at every request.
SELECT
    t.token_hash, t.token_id, t.account_id, a.name, a.language, a.time_zone, a.disabled_at IS NOT NULL AS is_disabled, t.scope, t.only_campaign, t.ends_at,
    t.requests_per_minute, t.expires_at IS NOT NULL AS is_session,
    t.last_used_at IS NULL OR t.last_used_at < now() - interval '1 hour' AS is_to_note
FROM tokens AS t
INNER JOIN accounts AS a ON t.account_id = a.account_id
WHERE t.token_hash = any(:token_hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    AND (t.ends_at IS NULL OR t.ends_at > now())
    AND (
        t.expires_at IS NOT NULL OR t.ends_at IS NOT NULL
        OR coalesce(t.last_used_at, t.created_at) > now() - :unused::bigint * interval '1 second'
    )
