-- Returns no row if another account has the name, or there is none to rename; fails if another has one of its looks.
WITH renamed AS (
    UPDATE accounts SET name = :name, name_key = :name_key, looks_noted = true
    WHERE
        account_id = :account
        AND NOT EXISTS (
            SELECT FROM accounts AS other WHERE other.name_key = :name_key AND other.account_id <> :account
        )
    RETURNING account_id
),

gone AS (
    DELETE FROM account_looks AS own
    USING renamed
    WHERE own.account_id = renamed.account_id AND NOT own.looks = ANY(:looks::text[])
),

noted AS (
    INSERT INTO account_looks (looks, account_id)
    SELECT given.looks, renamed.account_id
    FROM renamed CROSS JOIN unnest(:looks::text[]) AS given (looks)
    WHERE
        NOT EXISTS (
            SELECT FROM account_looks AS own WHERE own.looks = given.looks AND own.account_id = renamed.account_id
        )
)

SELECT account_id FROM renamed
