SET LOCAL lock_timeout = '3s';

-- What a program's token may do, NULL: everything that its account may; where, NULL: everywhere; until when, NULL: until
-- it is revoked; and how often in a minute.
ALTER TABLE tokens
ADD COLUMN scope text CHECK (scope IN ('read', 'play')),
ADD COLUMN only_campaign uuid,
ADD COLUMN ends_at timestamptz,
ADD COLUMN requests_per_minute integer;
