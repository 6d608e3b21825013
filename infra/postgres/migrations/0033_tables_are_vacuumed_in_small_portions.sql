SET LOCAL lock_timeout = '3s';

-- A fifth of a table, PostgreSQL's own measure, is much by the time that there are years of play. What is written again
-- and again is vacuumed after a twentieth, and so is what lies beside it: stored views are rewritten a segment at a time.
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE view_segments SET (
    autovacuum_vacuum_scale_factor = 0.05,
    toast.autovacuum_vacuum_scale_factor = 0.05
);
ALTER TABLE stored_folds SET (
    autovacuum_vacuum_scale_factor = 0.05,
    toast.autovacuum_vacuum_scale_factor = 0.05
);
ALTER TABLE timers SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE campaign_heads SET (autovacuum_vacuum_scale_factor = 0.05);

-- Events are only added. Looking through them early and often keeps the day away on which all of them must be frozen.
ALTER TABLE events SET (autovacuum_vacuum_insert_scale_factor = 0.05);
