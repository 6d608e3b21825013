-- Notes that a token was used; a session is valid for :idle seconds more, but not beyond :longest from its beginning, nor
-- beyond the end of one on a shared computer.
UPDATE tokens
SET
    last_used_at = now(),
    expires_at = CASE
        WHEN expires_at IS NOT NULL
            THEN least(
                now() + :idle::bigint * interval '1 second', created_at + :longest::bigint * interval '1 second', ends_at
            )
    END
WHERE token_id = :token
