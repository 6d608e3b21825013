UPDATE webhooks SET due_at = :now, attempts = 0, failing_since = NULL, parked_at = NULL, fault = NULL
WHERE campaign_id = :campaign AND webhook_id = :webhook
RETURNING webhook_id
