-- Claims one erasure that is due for this worker alone, until :seconds have passed: a worker that dies with it only
-- delays it.
UPDATE account_erasures AS e SET claimed_until = now() + :seconds * interval '1 second'
WHERE (e.account_id, e.what) IN (
    SELECT d.account_id, d.what FROM account_erasures AS d
    WHERE d.due_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until <= now())
    ORDER BY d.due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING account_id, what, asked_at, due_at, with_texts, begun_at, name, after_campaign, texts, left_over
