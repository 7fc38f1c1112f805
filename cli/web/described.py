"""What there is at the open port, in the words of OpenAPI 3.1: for whoever asks at /openapi.json, and for what tries
every path with whatever comes to its mind. Pure."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from aftermind import __version__
from aftermind.cli.keys import GROUPS
from aftermind.cli.language.answers import Stats
from aftermind.cli.language.process import State
from aftermind.cli.web.asking import LONGEST, PROJECT, SESSION, TOOLS
from aftermind.cli.web.figures import FORM

PATHS: dict[str, tuple[str, ...]] = {
    "/health": ("GET",),
    "/ready": ("GET",),
    "/stats": ("GET",),
    "/metrics": ("GET",),
    "/openapi.json": ("GET",),
    "/mcp": ("POST", "GET", "DELETE"),
}
"""What is there, and what it takes."""
_REFUSED = {
    400: "What was asked cannot be read.",
    401: "The token is missing or is another.",
    403: "A page in a browser asked.",
    405: "Not this method.",
    408: "The body did not come.",
    413: "The body is too large.",
    421: "The Host is another's: a name that was pointed here.",
    429: "Too often; Retry-After says for how long.",
    500: "An error nobody foresaw.",
    503: "The store is being opened or let go.",
}
_OF_MCP = {
    202: "Taken.",
    404: "That session is over.",
    406: "The answer would be JSON or events.",
    409: "It is being listened to.",
    415: "What is posted has to be application/json.",
}
_ERROR = {"$ref": "#/components/schemas/Refused"}


@cache
def described() -> bytes:
    """The document, as JSON."""
    (state, stats), schemas = msgspec.json.schema_components((State, Stats), ref_template="#/components/schemas/{name}")
    status = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}
    both = {"type": "object", "properties": {"daemon": state, "store": stats}, "required": ["daemon", "store"]}
    refused = {"error": {"type": "string"}, "hint": {"type": "string"}}
    schemas["Refused"] = {"type": "object", "properties": refused, "required": ["error"]}
    paths = {
        "/health": {"get": _get("Somebody is here.", _json(status), safe=True)},
        "/ready": {"get": _get("The store is open.", _json(status), safe=True)},
        "/stats": {"get": _get("How the daemon is, and what is in the store.", _json(both), (PROJECT,))},
        "/metrics": {"get": _get("The same in figures, for Prometheus.", {FORM.partition(";")[0]: {}})},
        "/openapi.json": {"get": _get("This.", _json({"type": "object"}))},
        "/mcp": {name: _mcp(name) for name in ("post", "get", "delete")},
    }
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "Aftermind", "version": __version__, "summary": "Memory for AI coding assistants"},
            "paths": paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{"token": []}],
        }
    )


def _get(about: str, content: dict[str, Any], takes: tuple[str, ...] = (), *, safe: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {
        "summary": about,
        "parameters": [_parameter(name, place) for name in takes for place in ("header", "query")],
        "responses": {"200": {"description": about, "content": content}, **_refusals(_REFUSED)},
    }
    return {**found, "security": []} if safe else found


def _mcp(method: str) -> dict[str, Any]:
    about = "The Model Context Protocol over streamable HTTP, in both of its generations."
    content = {**_json({"type": "object"}), "text/event-stream": {}}
    found: dict[str, Any] = {
        "summary": about,
        "parameters": [_parameter(name, place) for name in (PROJECT, SESSION, TOOLS) for place in ("header", "query")],
        "responses": {
            "200": {"description": "The answer.", "content": content if method != "delete" else {}},
            **_refusals(_REFUSED),
            **{str(status): {"description": why} for status, why in _OF_MCP.items()},
        },
    }
    found["responses"]["400"] = {"description": _REFUSED[400], "content": _json({"type": "object"})}
    if method == "post":
        message = {
            "type": "object",
            "properties": {"jsonrpc": {"const": "2.0"}, "method": {"type": "string"}, "params": {"type": "object"}},
            "required": ["jsonrpc", "method"],
        }
        found["requestBody"] = {"required": True, "content": _json(message)}
    return found


def _parameter(name: str, place: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "maxLength": LONGEST[name]}
    if name == PROJECT:
        schema |= {"pattern": "^/", "description": "A folder's whole path, in which %XX stands for any byte."}
    if name == TOOLS:
        schema["enum"] = list(GROUPS)
    return {"name": name if place == "header" else name.removeprefix("aftermind-"), "in": place, "schema": schema}


def _refusals(whys: dict[int, str]) -> dict[str, Any]:
    return {str(status): {"description": why, "content": _json(_ERROR)} for status, why in whys.items()}


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
