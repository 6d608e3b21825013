"""Which tests `--with-engines` tries again on the engines of a machine."""

import psycopg
import pytest

from tests.conftest import asks_engine, has_engine, those_with_engines


def test_a_test_has_an_engine_where_a_fixture_of_its_fixtures_is_one(request, database):
    assert has_engine(request.node)


def test_a_test_of_redis_has_an_engine(request, redis_url):
    assert has_engine(request.node)


def test_a_test_that_asks_for_no_engine_has_none(request, tmp_path):
    """Negative control."""
    assert not has_engine(request.node)


@pytest.fixture
def place(database):
    """A fixture of this module that has a database."""
    return database


def test_a_test_asks_for_an_engine_by_itself_or_by_a_fixture_of_its_module(request, place):
    assert asks_engine(request.node)


def test_of_tests_that_have_an_engine_by_what_all_have_in_common_the_first_of_a_module_is_enough(request):
    items = request.session.items
    tried = [*those_with_engines(items)]
    left_out = [item for item in items if item not in tried]
    assert request.node not in tried
    assert [item for item in left_out if has_engine(item) and asks_engine(item)] == []
    assert {item.path for item in left_out if has_engine(item)} <= {item.path for item in tried}


@pytest.mark.usefixtures("postgres_server")
def test_an_engine_that_is_only_used_is_had_and_not_asked_for(request):
    """Negative control."""
    assert has_engine(request.node)
    assert not asks_engine(request.node)


@pytest.mark.one_database("rows are not copied to shards")
def test_a_new_database_gets_the_rows_of_another_and_keeps_what_guards_them(postgres_server, database):
    with psycopg.connect(database.owner) as owner:
        owner.execute("INSERT INTO host_actions VALUES (gen_random_uuid(), DEFAULT, 'root', 'accounts list')")
    rows = postgres_server.rows_of(database)
    other = postgres_server.new_database()
    postgres_server.restore(other, rows)
    with psycopg.connect(other.owner) as owner, pytest.raises(psycopg.errors.RestrictViolation):
        owner.execute("DELETE FROM host_actions")
    assert set(rows) == {"host_actions"}
    assert postgres_server.rows_of(other) == rows
    postgres_server.give_back(other)
