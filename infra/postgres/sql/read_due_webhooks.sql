-- Webhooks that are due, the oldest first, whose campaigns went on since they were told.
WITH clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
)

SELECT
    w.campaign_id, w.webhook_id, w.form, w.kinds, w.host, w.sealed, w.created_by, w.created_at, w.delivered, w.upto,
    w.waiting, w.attempts, w.due_at, w.failing_since, w.parked_at, w.fault, w.bodies_confirmed
FROM webhooks AS w
INNER JOIN campaign_heads AS h ON w.campaign_id = h.campaign_id
WHERE
    w.parked_at IS NULL AND w.due_at <= (SELECT clock.now FROM clock)
    AND h.gone_at IS NULL AND h.seq > w.delivered
ORDER BY w.due_at, w.webhook_id
LIMIT :most
