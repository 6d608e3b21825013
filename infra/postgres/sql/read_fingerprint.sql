SELECT fingerprint FROM dice_key
