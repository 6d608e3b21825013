-- Returns no row if the name is taken.
INSERT INTO accounts (account_id, name, name_key, password_hash, invite_id)
VALUES (:account, :name, :name_key, :password_hash, :invite)
ON CONFLICT (name_key) DO NOTHING
RETURNING account_id
