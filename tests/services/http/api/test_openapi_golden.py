"""The whole OpenAPI document, as generated clients know it: component names, routes, descriptions.

A component that is as a command or event is stored is kept by its name there (`wire_components`): its shape stands
in `tests/domain/campaign/wire_schema.golden.json`, and the document is held to it.

After a change that is meant to be seen in the document, write it again and read what changed:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/services/http/api/test_openapi_golden.py && git diff tests/services
"""

import json
from copy import deepcopy
from typing import Any

import pytest

from tests import golden
from tests.services.http.api.wire_components import with_wire_names
from tests.services.operations import GOLDEN


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """The document as clients receive it, without its version and the examples, which mean nothing to them."""
    served: dict[str, Any] = without_examples(json.loads(json.dumps(document)))
    del served["info"]["version"]
    return with_wire_names(served)


def without_examples(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: without_examples(each) for key, each in part.items() if key != "examples"}
    return [*map(without_examples, part)] if isinstance(part, list) else part


def test_the_openapi_document_is_the_one_that_clients_know(document):
    golden.compare(GOLDEN, comparable(document), width=110)


@pytest.fixture
def altered(document: dict[str, Any]) -> dict[str, Any]:
    return deepcopy(document)


def test_another_version_changes_nothing(altered):
    altered["info"]["version"] = "99.0.0"
    assert golden.report(golden.read(GOLDEN), comparable(altered)) is None


def test_a_renamed_component_is_found_by_its_name(altered):
    """Negative control."""
    schemas = altered["components"]["schemas"]
    schemas["CampaignCreatedAnswer"] = schemas.pop("Founded")
    told = golden.report(golden.read(GOLDEN), comparable(altered))
    assert told is not None
    assert told.startswith("2 differences")
    assert "components.schemas.Founded: kept {" in told
    assert "components.schemas.CampaignCreatedAnswer: kept nothing, found {" in told


def test_a_changed_limit_and_a_route_that_is_gone_are_found(altered):
    """Negative control."""
    del altered["paths"]["/health/ready"]
    altered["components"]["schemas"]["Founded"]["additionalProperties"] = True
    told = golden.report(golden.read(GOLDEN), comparable(altered))
    assert told is not None
    assert "components.schemas.Founded.additionalProperties: kept nothing, found true" in told
    assert "paths./health/ready: kept {" in told
    assert len(told.splitlines()) == 4


@pytest.mark.parametrize(
    ("component", "change"),
    [
        ("AddNote", {"additionalProperties": True}),
        ("AddNote", {"required": ["type"]}),
        ("FrameStateFrameCreated", {"required": ["type"]}),
        ("FrameStatePool", {"properties": {}}),
    ],
)
def test_a_component_that_is_not_as_it_is_stored_is_found(altered, component, change):
    """Negative control: it no longer goes by its name in the stored shapes, nor does what it is part of."""
    altered["components"]["schemas"][component] |= change
    names = {path.split(".")[2] for path in golden.differences(golden.read(GOLDEN), comparable(altered))}
    assert component in names
    assert component != "FrameStatePool" or "FrameStateFrameCreated" in names
