SET LOCAL lock_timeout = '3s';

-- NULL: what is told is told in the language that the browser asks for, else in that of the campaign.
ALTER TABLE accounts ADD COLUMN language text;

GRANT UPDATE (language) ON accounts TO fieldlog_service;
