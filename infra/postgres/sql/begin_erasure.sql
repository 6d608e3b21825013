-- Deletes an account whose erasure is due: sign-in fails from now on, and its name is free.
WITH begun AS (
    UPDATE account_erasures AS e
    SET begun_at = now(), name = a.name, claimed_until = now() + :seconds * interval '1 second'
    FROM accounts AS a
    WHERE
        e.account_id = :account AND e.what = 'account' AND e.begun_at IS NULL AND e.due_at <= now()
        AND a.account_id = e.account_id
    RETURNING e.account_id
),

signed_out AS (
    DELETE FROM tokens USING begun WHERE tokens.account_id = begun.account_id
),

uninvited AS (
    UPDATE invites SET revoked_at = now()
    FROM begun
    WHERE invites.created_by = begun.account_id AND invites.revoked_at IS NULL
),

-- As a worker parks a webhook whose maker is no GM any more, without the moments until their memberships end.
parked AS (
    UPDATE webhooks
    SET parked_at = (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint, fault = 'maker_left'
    FROM begun
    WHERE webhooks.created_by = begun.account_id
),

gone AS (
    DELETE FROM accounts USING begun WHERE accounts.account_id = begun.account_id
)

SELECT account_id FROM begun
