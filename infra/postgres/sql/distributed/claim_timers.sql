-- Claims due timers as `claim_timers` does, from all shards. No shard locks what another one chooses from: a timer is
-- claimed by whoever changes it first, and others find that it was.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
),

due AS MATERIALIZED (
    SELECT t.campaign_id, t.cause, t.subject, t.wake_at
    FROM timers AS t
    WHERE
        t.parked_at IS NULL AND t.wake_at <= (SELECT clock.now FROM clock) - :late
        AND get_bit(:share, get_byte(uuid_send(t.campaign_id), 15)) = 1
        AND NOT EXISTS (
            SELECT FROM campaign_heads AS h WHERE h.campaign_id = t.campaign_id AND h.gone_at IS NOT NULL
        )
    ORDER BY t.wake_at, t.campaign_id
    LIMIT :most
)

UPDATE timers AS t
SET wake_at = clock.now + :lease
FROM due, clock
WHERE
    t.campaign_id = due.campaign_id AND t.cause = due.cause AND t.subject = due.subject AND t.wake_at = due.wake_at
    AND t.parked_at IS NULL
RETURNING t.campaign_id, t.cause, t.subject, clock.now - due.wake_at, clock.now
