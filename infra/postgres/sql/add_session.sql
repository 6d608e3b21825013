-- A browser's session ends when it is idle for :idle, or :longest seconds after it began; on a shared computer :shared
-- seconds after that, and ends_at says so.
INSERT INTO tokens (token_id, account_id, label, token_hash, created_at, last_used_at, expires_at, ends_at)
VALUES (
    :token, :account, :label, :token_hash, now(), now(),
    now() + least(:idle::bigint, :longest::bigint, :shared::bigint) * interval '1 second',
    now() + :shared::bigint * interval '1 second'
)
