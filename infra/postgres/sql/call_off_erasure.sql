-- Keeps an account that was to be erased and is not yet.
DELETE FROM account_erasures
WHERE account_id = :account AND what = 'account' AND begun_at IS NULL
RETURNING account_id
