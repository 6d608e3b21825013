-- All timers of a campaign, with what became of them so far.
SELECT cause, subject, clock, due, wake_at, attempts, parked_at, error
FROM timers
WHERE campaign_id = :campaign
ORDER BY wake_at, cause, subject
