SET LOCAL lock_timeout = '3s';

-- Of a message of several bodies, so many were confirmed: a repetition goes on with the next one.
ALTER TABLE webhooks ADD COLUMN bodies_confirmed integer NOT NULL DEFAULT 0;
