UPDATE tokens SET last_used_at = now() WHERE token_id = :token
