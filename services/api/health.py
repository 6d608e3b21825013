"""`/health` and `/metrics`: for whoever runs this."""

from litestar import get
from litestar.di import NamedDependency
from msgspec import Struct

from services.house import House


class Health(Struct, frozen=True):
    """How the service is."""

    status: str


@get("/health/live", security=[], tags=["running it"], summary="Is the process alive?")
async def live() -> Health:
    """Answers as long as the process can answer at all."""
    return Health("alive")


@get("/health/ready", security=[], tags=["running it"], summary="Can it serve?")
async def ready(house: NamedDependency[House]) -> Health:
    """200 when the database answers, 503 when it does not."""
    await house.log.now()
    return Health("ready")
