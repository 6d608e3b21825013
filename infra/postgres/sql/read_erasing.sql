-- What an account has asked to have erased, and is not yet.
SELECT account_id, what, asked_at, due_at, with_texts, begun_at, name, after_campaign, texts, left_over
FROM account_erasures
WHERE account_id = :account
ORDER BY what
