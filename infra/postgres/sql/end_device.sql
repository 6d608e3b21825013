-- Its push service knows the device no more, unless it was given another place there meanwhile.
DELETE FROM account_devices WHERE token_id = :device AND endpoint_hash = :endpoint_hash RETURNING token_id
