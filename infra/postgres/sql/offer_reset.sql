-- Keeps the link by which an account gets another password, in the place of an earlier one; says when it ends.
INSERT INTO account_resets (account_id, code_hash, expires_at)
VALUES (:account, :code_hash, now() + :seconds * interval '1 second')
ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
RETURNING expires_at
