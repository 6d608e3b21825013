-- Counts that a timer failed: it is tried again after :again microseconds, or never where this was try :most.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
)

UPDATE timers AS t
SET
    attempts = t.attempts + 1,
    error = :error,
    wake_at = clock.now + (:again << t.attempts),
    parked_at = CASE WHEN t.attempts + 1 >= :most THEN clock.now END
FROM clock
WHERE t.campaign_id = :campaign AND t.cause = :cause AND t.subject = :subject AND t.parked_at IS NULL
RETURNING t.attempts
