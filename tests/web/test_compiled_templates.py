"""Templates are compiled once for all languages, and before they are asked for."""

import pytest
from jinja2 import Environment
from litestar.testing import TestClient

from projections.languages import LANGUAGES
from services.http.api.warm_up import preparing
from services.http.screen.app import create_app
from services.http.screen.shared import templates
from services.http.screen.shared.templates import compile_templates, environment
from services.settings import Settings
from tests.engines import DICE_KEY
from tests.generators import finished
from tests.services.live_api import eventually


@pytest.fixture
def uncompiled(monkeypatch):
    """No template is compiled yet."""
    monkeypatch.setattr(templates, "_compiled_code", templates._CompiledCode())
    environment.cache_clear()


def compiled(language: str) -> set[str]:
    """The names of the templates that need not be compiled in a language."""
    cache = environment(language).cache
    assert cache is not None
    return {name for _, name in cache.keys()}  # noqa: SIM118 — it is no dict, and an iteration of it has no order


def test_a_template_is_the_same_code_in_all_languages():
    folder = environment("en")
    for path in templates.template_files():
        source, name = path.read_text(), path.name
        english, *others = [environment(language).compile(source, name, name) for language in LANGUAGES]
        assert all(code == english for code in others), name
    assert folder.compile("{{ 5|figure }}") != folder.compile("{{ 6|figure }}"), "the control"


def test_each_template_is_compiled_once(uncompiled, monkeypatch):
    compilations: list[str | None] = []
    compile_one = Environment.compile

    def counted(self, source, name=None, *rest, **more):
        compilations.append(name)
        return compile_one(self, source, name, *rest, **more)

    monkeypatch.setattr(Environment, "compile", counted)
    finished(compile_templates())
    names = environment("en").list_templates(extensions=["html"])
    assert sorted(map(str, compilations)) == sorted(names)
    assert all(compiled(language) == set(names) for language in LANGUAGES)


def test_an_application_compiles_its_templates_when_it_starts(uncompiled, database):
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    names = set(environment("en").list_templates(extensions=["html"]))
    assert not compiled("en")
    with TestClient(create_app(settings, beside=preparing(compile_templates))):
        assert eventually(lambda: all(compiled(language) == names for language in LANGUAGES))


def test_an_application_stops_while_templates_are_compiled(uncompiled, database):
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    with TestClient(create_app(settings, beside=preparing(compile_templates))) as client:
        assert client.get("/health/live").status_code == 200
    assert compiled("en") < set(environment("en").list_templates(extensions=["html"]))
