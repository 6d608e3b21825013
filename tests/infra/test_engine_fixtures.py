"""Which tests `--with-engines` tries again on the engines of a machine."""

from tests.conftest import has_engine


def test_a_test_has_an_engine_where_a_fixture_of_its_fixtures_is_one(request, database):
    assert has_engine(request.node)


def test_a_test_of_redis_has_an_engine(request, redis_url):
    assert has_engine(request.node)


def test_a_test_that_asks_for_no_engine_has_none(request, tmp_path):
    """Negative control."""
    assert not has_engine(request.node)
