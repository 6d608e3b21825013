-- After a restore nobody is called: a device may have been told to stop since the backup.
DELETE FROM account_devices
