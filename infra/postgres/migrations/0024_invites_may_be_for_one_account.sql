SET LOCAL lock_timeout = '3s';

-- Where it is there, nobody else comes in by the invite.
ALTER TABLE invites ADD COLUMN for_account uuid;
