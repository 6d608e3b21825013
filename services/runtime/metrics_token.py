"""Authorization for `/metrics`."""

from hmac import compare_digest

from domain.sentences import say

REFUSAL = say("Send the token that FIELDLOG_METRICS_TOKEN holds: Authorization: Bearer …")


def is_metrics_token(authorization: str, token: str) -> bool:
    """Whether an `Authorization` header holds the token, compared in constant time."""
    scheme, _, credential = authorization.partition(" ")
    return scheme.casefold() == "bearer" and compare_digest(credential.strip().encode(), token.encode())
