"""The published shape of the JSON report; `schema.json` is this, written down."""

from typing import Any

from pydantic import TypeAdapter

from ...state.session_report import SCHEMA_VERSION, SessionReport


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `SessionReport.to_dict`."""
    schema = TypeAdapter(SessionReport).json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "maintainer report"
    schema["properties"]["schema_version"] = {"const": SCHEMA_VERSION}
    schema["required"] = sorted({*schema.get("required", ()), "schema_version"})
    return schema
