-- Whether writes are refused here: on a standby, or where default_transaction_read_only says so.
SELECT current_setting('transaction_read_only')::boolean
