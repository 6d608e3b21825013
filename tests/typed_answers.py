"""Whether answers are what the OpenAPI document says: all fields known, none missing, each of its type."""

import re
from typing import Any

import httpx
import jsonschema_rs

HERE = "urn:fieldlog"


class Checker:
    """Checks answers against the document; `seen` are the operations and statuses that came."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.seen: set[tuple[str, int]] = set()
        components = closed({"components": document["components"]})
        self._registry = jsonschema_rs.Registry([(HERE, components)], draft=jsonschema_rs.Draft202012)
        self._operations = [
            (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation)
            for path, methods in sorted(
                document["paths"].items()
            )  # what has a name of its own before what has an id
            for method, operation in methods.items()
        ]
        self._validators: dict[str, Any] = {}

    def __call__(self, response: httpx.Response) -> None:
        """A hook of a client. Raises AssertionError for an answer that is not what the document says."""
        response.read()
        wrong = self.wrong(response)
        assert wrong == [], (response.request.url, response.text[:500], wrong)

    def wrong(self, response: httpx.Response) -> list[str]:
        """What is wrong with an answer."""
        request, status = response.request, response.status_code
        operation = self.operation(request)
        self.seen.add((operation["operationId"], status))
        answers: dict[str, Any] = operation["responses"].get(str(status), {}).get("content", {})
        kind = response.headers.get("content-type", "").partition(";")[0]
        if response.content and kind not in answers:
            return [f"{status} {kind} is not in the document"]
        is_json = kind in ("application/json", "application/problem+json")
        return self.faults(answers[kind]["schema"], response.json()) if is_json else []

    def operation(self, request: httpx.Request) -> dict[str, Any]:
        """What the document says of the operation that a request asks for."""
        return next(
            operation
            for method, path, operation in self._operations
            if method == request.method and path.fullmatch(request.url.path)
        )

    def faults(self, schema: dict[str, Any], value: Any) -> list[str]:
        """Where a value is not what a schema of the document says."""
        key = repr(schema)
        if key not in self._validators:
            absolute = closed(schema) | {"$ref": HERE + schema["$ref"]} if "$ref" in schema else closed(schema)
            self._validators[key] = jsonschema_rs.Draft202012Validator(absolute, registry=self._registry)
        found = self._validators[key].iter_errors(value)
        return [f"{fault.instance_path}: {fault.message[:200]}" for fault in found]


def closed(part: Any) -> Any:
    """A schema in which no object has fields but those it names."""
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    inner = {key: closed(each) for key, each in part.items()}
    return (
        {"additionalProperties": False, **inner}
        if inner.get("type") == "object" and "properties" in inner
        else inner
    )
