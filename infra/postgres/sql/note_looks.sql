-- What the names of accounts look like that were made before looks were compared: the first of several has them.
WITH given AS (
    SELECT g.account_id, g.looks
    FROM unnest(:accounts::uuid[], :looks::text[]) AS g (account_id, looks)
    INNER JOIN accounts AS a ON g.account_id = a.account_id
),

noted AS (
    INSERT INTO account_looks (looks, account_id)
    SELECT looks, account_id FROM given ORDER BY looks, account_id
    ON CONFLICT (looks) DO NOTHING
)

UPDATE accounts SET looks_noted = true FROM given WHERE accounts.account_id = given.account_id
