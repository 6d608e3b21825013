SET LOCAL lock_timeout = '3s';

-- Which key seals the seeds of this database: sixteen digits of a hash of it, from which nobody gets the key. The
-- service notes them when it first starts, and compares them at every start. One row at the most; what stands there
-- stays.
CREATE TABLE dice_key (
    is_the_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{16}$')
);

GRANT SELECT, INSERT ON dice_key TO fieldlog_service;
