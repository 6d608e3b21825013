-- How many timers should have fired by now, how many microseconds until the next one, and how many are parked.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
)

SELECT
    (SELECT count(*) FROM due_timers WHERE parked_at IS NULL AND wake_at <= (SELECT clock.now FROM clock)),
    (
        SELECT t.wake_at FROM due_timers AS t
        WHERE t.parked_at IS NULL AND t.wake_at < :never
        ORDER BY t.wake_at LIMIT 1
    ) - (SELECT clock.now FROM clock),
    (SELECT count(*) FROM due_timers WHERE parked_at IS NOT NULL)
