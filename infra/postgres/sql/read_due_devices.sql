-- Devices that are due, the oldest first, each with a campaign of its account that went on since it was told. Only of
-- accounts that may sign in, and of sign-ins that are not over.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
)

SELECT
    d.token_id, d.account_id, d.endpoint_hash, d.host, d.sealed, d.with_words, coalesce(a.language, d.language) AS language,
    d.created_at, d.places::text AS places, d.attempts, d.due_at, d.failing_since, d.parked_at, d.fault, m.campaign_id
FROM account_devices AS d
INNER JOIN tokens AS t ON d.token_id = t.token_id
INNER JOIN accounts AS a ON d.account_id = a.account_id
INNER JOIN campaign_members AS m ON d.account_id = m.account_id
INNER JOIN campaign_heads AS h ON m.campaign_id = h.campaign_id
WHERE
    d.parked_at IS NULL AND d.due_at <= (SELECT clock.now FROM clock)
    AND a.disabled_at IS NULL AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    AND (t.ends_at IS NULL OR t.ends_at > now())
    AND h.gone_at IS NULL AND h.seq > coalesce((d.places -> m.campaign_id::text ->> 0)::bigint, 0)
ORDER BY d.due_at, d.token_id, m.campaign_id
LIMIT :most
