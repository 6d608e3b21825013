"""Who may read a process's metrics: who sends the token that was set for them."""

from hmac import compare_digest

REFUSAL = "Send the token that FIELDLOG_METRICS_TOKEN holds: Authorization: Bearer …"


def is_metrics_token(authorization: str, token: str) -> bool:
    """Whether an `Authorization` header holds the token; it takes as long to say no to one as to another."""
    scheme, _, sent = authorization.partition(" ")
    return scheme.casefold() == "bearer" and compare_digest(sent.strip().encode(), token.encode())
