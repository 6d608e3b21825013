-- The same, and where writes are taken, one that leaves nothing behind: a record in the write-ahead log, flushed at
-- the commit, and a temporary file of some 2 MB (work_mem is small here). Both need what writes need: a disk with
-- room that answers.
SELECT CASE
    WHEN current_setting('transaction_read_only')::boolean THEN true
    ELSE pg_logical_emit_message(true, 'fieldlog', 'probe') IS NULL
        OR (SELECT count(*) < 0 FROM generate_series(1, 50000))
END
