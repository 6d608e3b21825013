SET LOCAL lock_timeout = '3s';

-- NULL: a token that a program sends, valid until it is revoked. Otherwise a browser's session, which a cookie carries.
ALTER TABLE tokens ADD COLUMN expires_at timestamptz;

GRANT UPDATE (expires_at) ON tokens TO fieldlog_service;
