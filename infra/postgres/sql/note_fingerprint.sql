INSERT INTO dice_key (fingerprint) VALUES (%s) ON CONFLICT DO NOTHING
