"""Whether a Redis answers."""

import redis

ANSWER_SECONDS_MAX = 3


class RedisUnreachable(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """Redis does not answer; the message is one sentence."""


def redis_version(url: str) -> str:
    """The version of the Redis or Valkey at this URL. Raises RedisUnreachable when it does not answer."""
    try:
        with redis.Redis.from_url(
            url, socket_connect_timeout=ANSWER_SECONDS_MAX, socket_timeout=ANSWER_SECONDS_MAX
        ) as client:
            info = client.info("server")
    except (redis.RedisError, OSError, ValueError) as error:
        raise RedisUnreachable(f"Redis does not answer: {error}") from None
    assert isinstance(info, dict)
    if "valkey_version" in info:
        return f"Valkey {info['valkey_version']}"
    return f"Redis {info['redis_version']}"
