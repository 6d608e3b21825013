-- Lets a timer that failed be tried again, at once.
UPDATE timers
SET
    attempts = 0,
    error = NULL,
    parked_at = NULL,
    wake_at = (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint
WHERE campaign_id = :campaign AND cause = :cause AND subject = :subject AND attempts > 0
RETURNING true
