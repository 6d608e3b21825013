-- Keeps an account from being used, or lets it be used again; no row: that is so already, or there is none.
UPDATE accounts SET disabled_at = CASE WHEN :disabled THEN now() END
WHERE account_id = :account AND (disabled_at IS NOT NULL) <> :disabled
RETURNING account_id
