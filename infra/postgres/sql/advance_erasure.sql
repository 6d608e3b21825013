-- Notes how far an erasure has come, unless it was asked for again meanwhile; the worker keeps it for :seconds.
UPDATE account_erasures
SET
    after_campaign = :after, texts = texts + :texts,
    claimed_until = now() + :seconds * interval '1 second'
WHERE account_id = :account AND what = :what AND asked_at = :asked_at
RETURNING account_id
