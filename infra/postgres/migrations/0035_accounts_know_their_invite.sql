SET LOCAL lock_timeout = '3s';

-- The invite by which an account was made, where one was needed: a use of it is counted for the account already.
ALTER TABLE accounts ADD COLUMN invite_id uuid;
