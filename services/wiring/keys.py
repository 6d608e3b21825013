"""Where the service's key comes from: the environment, or a file in its home that is made at the first start."""

from infra.keys import KeyUnusable, kept_key
from services.settings import Settings
from services.wiring.engines import home_folder

__all__ = ["KEY_FILE", "KeyUnusable", "service_key"]

KEY_FILE = "dice.key"


def service_key(settings: Settings) -> bytes:
    """The 32 bytes. Raises KeyUnusable, and EngineFailed where there is no home."""
    if settings.dice_key is not None:
        return bytes.fromhex(settings.dice_key)
    return kept_key(home_folder(settings) / KEY_FILE)
