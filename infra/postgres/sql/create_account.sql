-- Returns no row if the name is taken; fails if one of its looks is.
WITH created AS (
    INSERT INTO accounts (account_id, name, name_key, password_hash, invite_id, looks_noted)
    VALUES (:account, :name, :name_key, :password_hash, :invite, true)
    ON CONFLICT (name_key) DO NOTHING
    RETURNING account_id
),

noted AS (
    INSERT INTO account_looks (looks, account_id)
    SELECT given.looks, created.account_id
    FROM created CROSS JOIN unnest(:looks::text[]) AS given (looks)
)

SELECT account_id FROM created
