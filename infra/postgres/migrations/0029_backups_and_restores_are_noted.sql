SET LOCAL lock_timeout = '3s';

-- The backups that were made of this database and verified, so that it is known how old the last one is.
CREATE TABLE backups (
    backup_id uuid NOT NULL,
    begun_at timestamptz NOT NULL,
    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    events bigint NOT NULL,
    PRIMARY KEY (backup_id)
);

GRANT SELECT, INSERT ON backups TO fieldlog_service;

-- The backups that were restored into this database. Nothing is served from it before a restore is done: a killed one
-- leaves its row, and is taken up where it ended.
CREATE TABLE restores (
    backup_id uuid NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    loaded_at timestamptz,
    done_at timestamptz,
    PRIMARY KEY (backup_id)
);

GRANT SELECT ON restores TO fieldlog_service;
