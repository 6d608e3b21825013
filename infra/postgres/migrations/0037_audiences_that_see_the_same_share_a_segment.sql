SET LOCAL lock_timeout = '3s';

-- A segment is one compressed whole, stored once for all audiences whose rows are the same; marks are CRC-32 sums of its
-- rows' keys. Views of earlier versions have another form: they are not read here, and workers replace them. Processes
-- of these go on with the columns they know (keys, parts, ends), which a later migration drops.
ALTER TABLE view_segments
ADD COLUMN readers text [] NOT NULL DEFAULT '{}',
ADD COLUMN marks integer [] NOT NULL DEFAULT '{}',
ADD COLUMN content bytea NOT NULL DEFAULT '',
ALTER COLUMN keys SET DEFAULT '{}',
ALTER COLUMN parts SET DEFAULT '{}',
ALTER COLUMN ends SET DEFAULT '{}',
ALTER COLUMN content SET STORAGE EXTERNAL,
DROP CONSTRAINT view_segments_pkey,
ADD PRIMARY KEY (campaign_id, view, number, audience);
