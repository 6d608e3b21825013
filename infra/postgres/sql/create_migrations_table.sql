CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY,
    checksum bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
