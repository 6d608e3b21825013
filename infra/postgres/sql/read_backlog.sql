-- How many timers should have fired by now, how many microseconds until the next one, how many are parked, and how long
-- until the next one in a :share; those of deleted campaigns do not count.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
)

SELECT
    (
        SELECT count(*) FROM due_timers AS t
        WHERE
            t.parked_at IS NULL AND t.wake_at <= (SELECT clock.now FROM clock)
            AND NOT EXISTS (
                SELECT FROM campaign_heads AS h WHERE h.campaign_id = t.campaign_id AND h.gone_at IS NOT NULL
            )
    ),
    (
        SELECT t.wake_at FROM due_timers AS t
        WHERE
            t.parked_at IS NULL AND t.wake_at < :never
            AND NOT EXISTS (
                SELECT FROM campaign_heads AS h WHERE h.campaign_id = t.campaign_id AND h.gone_at IS NOT NULL
            )
        ORDER BY t.wake_at LIMIT 1
    ) - (SELECT clock.now FROM clock),
    (
        SELECT count(*) FROM due_timers AS t
        WHERE
            t.parked_at IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM campaign_heads AS h WHERE h.campaign_id = t.campaign_id AND h.gone_at IS NOT NULL
            )
    ),
    (
        SELECT t.wake_at FROM due_timers AS t
        WHERE
            t.parked_at IS NULL AND t.wake_at < :never
            AND get_bit(:share, get_byte(uuid_send(t.campaign_id), 15)) = 1
            AND NOT EXISTS (
                SELECT FROM campaign_heads AS h WHERE h.campaign_id = t.campaign_id AND h.gone_at IS NOT NULL
            )
        ORDER BY t.wake_at LIMIT 1
    ) - (SELECT clock.now FROM clock)
