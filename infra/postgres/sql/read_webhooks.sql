SELECT
    campaign_id, webhook_id, form, kinds, host, sealed, created_by, created_at, delivered, upto, waiting, attempts,
    due_at, failing_since, parked_at, fault, bodies_confirmed
FROM webhooks
WHERE campaign_id = :campaign
ORDER BY created_at, webhook_id
