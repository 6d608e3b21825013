-- Requests an erasure for an account, which begins after :seconds. A repeated request starts over, but keeps the time at
-- which an account is to be erased. An account that is to be erased is signed out everywhere.
WITH asked AS (
    INSERT INTO account_erasures AS e (account_id, what, asked_at, due_at, with_texts, after_campaign)
    SELECT a.account_id, :what, now(), now() + :seconds * interval '1 second', :with_texts, :beginning
    FROM accounts AS a
    WHERE a.account_id = :account
    ON CONFLICT (account_id, what) DO UPDATE
    SET
        asked_at = now(), with_texts = excluded.with_texts, after_campaign = excluded.after_campaign, texts = 0,
        left_over = '{}'
    RETURNING
        e.account_id, e.what, e.asked_at, e.due_at, e.with_texts, e.begun_at, e.name, e.after_campaign, e.texts,
        e.left_over
),

signed_out AS (
    UPDATE tokens AS t SET revoked_at = now()
    FROM asked
    WHERE asked.what = 'account' AND t.account_id = asked.account_id AND t.revoked_at IS NULL
)

SELECT account_id, what, asked_at, due_at, with_texts, begun_at, name, after_campaign, texts, left_over FROM asked
