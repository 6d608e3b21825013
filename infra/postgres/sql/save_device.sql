UPDATE account_devices
SET
    places = (:places)::jsonb, attempts = :attempts, due_at = :next, failing_since = (:failing_since)::bigint,
    parked_at = (:parked_at)::bigint, fault = (:fault)::text
WHERE token_id = :device AND due_at = :due_at
RETURNING token_id
