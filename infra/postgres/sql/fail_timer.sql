-- Counts that a timer failed: it is tried again after :again microseconds, or never where this was try :most.
UPDATE timers
SET
    attempts = attempts + 1,
    error = :error,
    wake_at = (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint + (:again << attempts),
    parked_at = CASE
        WHEN attempts + 1 >= :most THEN (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint
    END
WHERE campaign_id = :campaign AND cause = :cause AND subject = :subject AND parked_at IS NULL
RETURNING attempts
