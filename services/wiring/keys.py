"""What lies outside the database: the service's key, and the heads it has seen."""

from infra.head_files import HeadFiles, NoHeadFiles
from infra.keys import KeyUnusable, is_signed, kept_key
from services.settings import Settings
from services.wiring.engines import home_folder

__all__ = ["KEY_FILE", "KeyUnusable", "is_signed", "kept_heads", "service_key"]

KEY_FILE = "dice.key"
HEADS_FOLDER = "heads"


def service_key(settings: Settings) -> bytes:
    """The 32 bytes, from the environment or from home, made there at the first start.

    Raises KeyUnusable, and EngineFailed where there is no home.
    """
    if settings.dice_key is not None:
        return bytes.fromhex(settings.dice_key)
    return kept_key(home_folder(settings) / KEY_FILE)


def kept_heads(settings: Settings) -> HeadFiles | NoHeadFiles:
    """Where heads are kept: in home, unless the service was given its key and no home of its own."""
    if settings.dice_key is not None and settings.home is None:
        return NoHeadFiles()
    return HeadFiles(home_folder(settings) / HEADS_FOLDER)
