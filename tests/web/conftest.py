"""The pages are read from the service that the API's tests talk to."""

from tests.services.conftest import api_redis, client, table

__all__ = ["api_redis", "client", "table"]
