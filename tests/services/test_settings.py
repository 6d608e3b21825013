"""What the environment may say, and how it is told that it may not."""

from pathlib import Path

import pytest

from services.settings import SETTINGS, Settings, SettingsInvalid, read_settings, without_password


def test_nothing_said_means_the_defaults() -> None:
    assert read_settings({}) == Settings()


def test_every_default_is_what_the_table_calls_it() -> None:
    defaults = {setting.name: setting.default for setting in SETTINGS}
    spelled_out = {name: value for name, value in defaults.items() if value != "embedded"}
    spelled_out.pop("FIELDLOG_HOME")
    spelled_out.pop("FIELDLOG_DICE_KEY")
    assert read_settings(spelled_out) == Settings()


def test_an_empty_variable_counts_as_absent() -> None:
    assert read_settings({"FIELDLOG_PORT": "", "FIELDLOG_DATABASE_URL": "  "}) == Settings()


def test_everything_can_be_said() -> None:
    said = read_settings(
        {
            "FIELDLOG_DATABASE_URL": "postgresql://fieldlog:secret@db/fieldlog",
            "FIELDLOG_OWNER_URL": "postgres://owner@db:5433/fieldlog",
            "FIELDLOG_REDIS_URL": "redis://:secret@cache:6379/0",
            "FIELDLOG_HOME": "/srv/fieldlog",
            "FIELDLOG_DICE_KEY": "D1CE" * 16,
            "FIELDLOG_HOST": "0.0.0.0",  # noqa: S104
            "FIELDLOG_PORT": "80",
            "FIELDLOG_PROXIES": "192.0.2.7, 2001:db8::/32",
            "FIELDLOG_ORIGINS": "https://Fieldlog.example, http://table.lan:8420/,https://[2001:db8::1]:443",
            "FIELDLOG_BASE_PATH": "/games/fieldlog/",
            "FIELDLOG_CONTACT": "Noor, noor@table.example",
            "FIELDLOG_LOG": "JSON",
            "FIELDLOG_ALLOW_UNSAFE": "yes",
        }
    )
    assert said.port == 80
    assert said.base_path == "/games/fieldlog"
    assert said.contact == "Noor, noor@table.example"
    assert said.proxies == ("192.0.2.7/32", "2001:db8::/32")
    assert said.origins == ("https://fieldlog.example", "http://table.lan:8420", "https://[2001:db8::1]")
    assert said.dice_key == "d1ce" * 16
    assert said.log == "json"
    assert said.home == Path("/srv/fieldlog")
    assert said.allow_unsafe


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FIELDLOG_PORT", "abc"),
        ("FIELDLOG_METRICS_TOKEN", "too-short"),
        ("FIELDLOG_METRICS_TOKEN", "with spaces in between"),
        ("FIELDLOG_METRICS_TOKEN", "ключ-для-метрик-и-чисел"),
        ("FIELDLOG_WORKER_METRICS_PORT", "9000"),
        ("FIELDLOG_PORT", "0"),
        ("FIELDLOG_PORT", "70000"),
        ("FIELDLOG_PORT", "-1"),
        ("FIELDLOG_PORT", "8_420"),
        ("FIELDLOG_PORT", "٨٤٢٠"),
        ("FIELDLOG_PORT", "9" * 5000),
        ("FIELDLOG_BODY_BYTES_MAX", "12"),
        ("FIELDLOG_HOT_BYTES", "lots"),
        ("FIELDLOG_DATABASE_URL", "mysql://db/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://db:port/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://a:5432,b:port/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://[::1/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://a:sec%zz@db/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://a:sec%00@db/fieldlog"),
        ("FIELDLOG_DATABASE_URL", "postgresql://a:5432,b:99999/fieldlog"),
        ("FIELDLOG_OWNER_URL", "db"),
        ("FIELDLOG_REDIS_URL", "http://cache"),
        ("FIELDLOG_PROXIES", "*"),
        ("FIELDLOG_PROXIES", "10.0.0.7,proxy"),
        ("FIELDLOG_ORIGINS", "fieldlog.example"),
        ("FIELDLOG_ORIGINS", "*"),
        ("FIELDLOG_ORIGINS", "https://fieldlog.example/table"),
        ("FIELDLOG_ORIGINS", "https://fieldlog.example,"),
        ("FIELDLOG_ORIGINS", "ftp://fieldlog.example"),
        ("FIELDLOG_ORIGINS", "https://fieldlog.example:99999"),
        ("FIELDLOG_BASE_PATH", "fieldlog"),
        ("FIELDLOG_BASE_PATH", "/field log"),
        ("FIELDLOG_BASE_PATH", "//fieldlog"),
        ("FIELDLOG_BASE_PATH", "/v1.2"),
        ("FIELDLOG_BASE_PATH", "/../fieldlog"),
        ("FIELDLOG_BASE_PATH", "/api/fieldlog"),
        ("FIELDLOG_LOG", "xml"),
        ("FIELDLOG_ALLOW_UNSAFE", "maybe"),
        ("FIELDLOG_DICE_KEY", "d1ce" * 15),
        ("FIELDLOG_DICE_KEY", "dice" * 16),
        ("FIELDLOG_HOME", "~nobody-of-that-name/fieldlog"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name_in_one_sentence(name: str, value: str) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        read_settings({name: value})
    sentence = str(refused.value)
    assert sentence.startswith(name)
    assert "\n" not in sentence
    assert "sec%" not in sentence
    assert len(sentence) < 200


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://a:secret@db:5432/x", "postgresql://a:***@db:5432/x"),
        ("redis://:secret@cache/0", "redis://:***@cache/0"),
        ("postgresql://a:se@cret@db/x", "postgresql://a:***@db/x"),
        ("postgresql://a@db/x", "postgresql://a@db/x"),
        ("postgresql://db/x?password=secret", "postgresql://db/x?password=***"),
        ("postgresql://a:secret@db:5432,[::1]:5433/x?ssl=1", "postgresql://a:***@db:5432,[::1]:5433/x?ssl=1"),
        ("postgresql://a@db:5432,other:5433/x", "postgresql://a@db:5432,other:5433/x"),
        ("postgresql://a:se/cr?et@db/x", "postgresql://a:***@db/x"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize("name", ["FIELDLOG_DATABASE_URL", "FIELDLOG_OWNER_URL"])
@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u@a:5432,b:5432/db?target_session_attrs=read-write",
        "postgresql://u:p@a,b/db",
        "postgres://[2001:db8::1]:5432,[2001:db8::2]/db",
        "postgresql://u@%2Frun%2Fpostgresql/db",
        "postgresql:///db?host=a,b&port=5432,5433",
    ],
)
def test_a_database_may_be_on_one_of_several_hosts(name: str, url: str) -> None:
    settings = read_settings({name: url})
    assert url in (settings.database_url, settings.owner_url)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("valkey://:secret@cache:6379/1", "redis://:secret@cache:6379/1"),
        ("valkeys://cache", "rediss://cache"),
        ("redis://cache", "redis://cache"),
        ("unix:///run/valkey.sock?db=1", "unix:///run/valkey.sock?db=1"),
    ],
)
def test_a_valkey_may_be_named_by_its_own_scheme(said: str, meant: str) -> None:
    assert read_settings({"FIELDLOG_REDIS_URL": said}).redis_url == meant
