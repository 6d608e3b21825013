SET LOCAL lock_timeout = '3s';

-- The campaigns that were deleted when an erasure had gone through all others: if they are restored, it goes through them.
ALTER TABLE account_erasures ADD COLUMN left_over uuid [] NOT NULL DEFAULT '{}';
