-- It is done, unless it was asked for again meanwhile.
DELETE FROM account_erasures
WHERE account_id = :account AND what = :what AND asked_at = :asked_at
RETURNING account_id
