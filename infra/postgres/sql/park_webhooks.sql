-- After a restore nothing is sent by itself: a webhook may have been deleted since the backup.
UPDATE webhooks
SET
    parked_at = (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint,
    failing_since = coalesce(failing_since, (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint),
    fault = 'restored'
WHERE parked_at IS NULL
