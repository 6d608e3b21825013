SET LOCAL lock_timeout = '3s';

-- An account's owner gives it another name; the looks of the former one are free for others then.
GRANT UPDATE (name, name_key) ON accounts TO fieldlog_service;
GRANT DELETE ON account_looks TO fieldlog_service;
