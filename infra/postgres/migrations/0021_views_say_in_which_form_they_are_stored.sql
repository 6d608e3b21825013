SET LOCAL lock_timeout = '3s';

-- In which form the views of a campaign are stored, or are being folded just now. The index is for counting those of
-- another form among campaigns in which nothing happens: where something does, workers come by anyway.
ALTER TABLE campaign_heads ADD COLUMN form text NOT NULL DEFAULT '';
CREATE INDEX campaign_heads_form_idx ON campaign_heads (form) WHERE NOT behind AND gone_at IS NULL;
GRANT UPDATE (form) ON campaign_heads TO fieldlog_service;

-- What accountants took for drift may have been an undo: these ledgers are added up from the beginning again.
DELETE FROM ledger_checks WHERE drifting;
