-- Returns no row if the name is taken.
INSERT INTO accounts (account_id, name, name_key, password_hash)
VALUES (:account, :name, :name_key, :password_hash)
ON CONFLICT (name_key) DO NOTHING
RETURNING account_id
