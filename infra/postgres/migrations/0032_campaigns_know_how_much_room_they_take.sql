SET LOCAL lock_timeout = '3s';

-- How many bytes the events of a campaign and the words in them take, up to measured_to. Whoever stores views adds what
-- came since: an append counts nothing.
ALTER TABLE campaign_heads ADD COLUMN bytes bigint NOT NULL DEFAULT 0, ADD COLUMN measured_to bigint NOT NULL DEFAULT 0;

GRANT UPDATE (bytes, measured_to) ON campaign_heads TO fieldlog_service;
