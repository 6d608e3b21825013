UPDATE webhooks
SET
    delivered = :delivered, upto = :upto, waiting = :waiting, attempts = :attempts, due_at = :next,
    failing_since = (:failing_since)::bigint, parked_at = (:parked_at)::bigint, fault = (:fault)::text,
    bodies_confirmed = :bodies_confirmed
WHERE campaign_id = :campaign AND webhook_id = :webhook AND due_at = :due_at
RETURNING webhook_id
