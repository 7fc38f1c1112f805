"""What model servers say they have, in one form, and which of it is worth asking. Pure.

Every server says it in words of its own, and leaves out what it does not know; so does an `Offer`. What a listing
holds beyond what is asked for is no error, and an entry without a name is no offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from re import IGNORECASE, Pattern, compile
from typing import Literal, TypeAlias

from msgspec import Struct

Told: TypeAlias = Mapping[str, object]
Program: TypeAlias = Literal["Ollama", "LM Studio", "llama.cpp", "vLLM", "OpenAI-compatible"]
OWNERS: Mapping[str, Program] = {"llamacpp": "llama.cpp", "vllm": "vLLM", "library": "Ollama"}
"""Servers that sign what they list with their own name."""

_BILLIONS = compile(r"(?<![\d.a-z])(?:(\d+)x)?(?:e)?(\d+(?:\.\d+)?)([bmt])(?![a-z])", IGNORECASE)
_QUANTISED = compile(r"(?<![a-z0-9])((?:i?q\d(?:_[a-z0-9]+)*)|(?:f|bf|fp)(?:16|32|8)|\d+-?bit|awq|gptq)(?![a-z0-9])", 2)
_OTHER_WORK = compile(
    r"embed|rerank|(?<![a-z])(?:bge|e5|gte|minilm|clip|whisper|tts|guard|ocr|nomic|mxbai|snowflake|base)(?![a-z])",
    IGNORECASE,
)
"""Models that answer no question: they embed, order, transcribe, speak, judge safety, or only go on writing."""
_FAMILIES = ("qwen3", "qwen2.5", "llama", "gemma", "ministral", "mistral", "granite", "phi")
"""That follow a JSON form in their small sizes, too; the first that is there."""
_BANDS = ((3, 9), (9, 15), (1.5, 3), (15, 35), (0.5, 1.5))
"""In billions. What says no size stands between the second and the third."""
_SLOW = compile(r"(?<![a-z])(?:r1|qwq|think(?:ing)?|reason(?:ing|er)?|distill)(?![a-z])", IGNORECASE)
"""They think aloud before they answer, at many times the cost of a verdict."""
_CODER = compile(r"cod(?:e|er)(?![a-z])|starcoder|devstral|math", IGNORECASE)
_VISION = compile(r"(?<![a-z])(?:vl|vision|llava|moondream)(?![a-z])", IGNORECASE)


class Offer(Struct, frozen=True, kw_only=True):
    """One model of one server. `model` is its name with the provider it is configured under; `size` is in bytes,
    `billions` counts its parameters. `elsewhere` is the host a server on this machine hands its work on to."""

    model: str
    name: str
    size: int | None = None
    billions: float | None = None
    quantisation: str = ""
    context: int | None = None
    loaded: bool | None = None
    elsewhere: str = ""
    answers: bool = True
    """Not so for models that embed or order texts."""


class Server(Struct, frozen=True, kw_only=True):
    """A program that answers; `address` is what is configured to ask it."""

    program: Program
    address: str
    offers: tuple[Offer, ...]


# --- what they say --------------------------------------------------------------------------------------------


def from_ollama(told: object) -> tuple[Offer, ...]:
    """Of `/api/tags`."""
    return tuple(_of_ollama(one) for one in _entries(told, "models") if _text(one, "name"))


def _of_ollama(one: Told) -> Offer:
    name, details = _text(one, "name"), _inner(one, "details")
    elsewhere, can = _text(one, "remote_host"), one.get("capabilities")
    only_embeds = isinstance(can, list) and bool(can) and "completion" not in can
    return Offer(
        model=f"ollama_chat/{name}",
        name=name,
        size=None if elsewhere else _number(one, "size"),
        billions=billions(_text(details, "parameter_size")) or billions(name),
        quantisation=_text(details, "quantization_level"),
        context=_number(details, "context_length"),
        elsewhere=elsewhere,
        answers=not only_embeds and answers(name) and "bert" not in _text(details, "family"),
    )


def from_lm_studio(told: object) -> tuple[Offer, ...]:
    """Of `/api/v0/models`, which also lists what is not loaded."""
    return tuple(
        Offer(
            model=f"openai/{name}",
            name=name,
            billions=billions(name),
            quantisation=_text(one, "quantization"),
            context=_number(one, "max_context_length"),
            loaded=_text(one, "state") == "loaded",
            answers=_text(one, "type") in ("llm", "vlm", "") and answers(name),
        )
        for one in _entries(told, "data")
        if (name := _text(one, "id"))
    )


def from_openai(told: object, path: str = "") -> tuple[Offer, ...]:
    """Of `/v1/models`, which llama.cpp and vLLM answer with more than the form asks for. `path` is the file llama.cpp
    says it has loaded, where its name says nothing."""
    entries = [one for one in _entries(told, "data") if _text(one, "id")]
    return tuple(_of_openai(one, path if len(entries) == 1 else "") for one in entries)


def _of_openai(one: Told, path: str) -> Offer:
    name, meta, status = _text(one, "id"), _inner(one, "meta"), _inner(one, "status")
    described = f"{name} {_text(one, 'root')} {path.rpartition('/')[2]}"
    counted = _number(meta, "n_params")
    return Offer(
        model=f"openai/{name}",
        name=name,
        size=_number(meta, "size"),
        billions=round(counted / 1e9, 1) if counted else billions(described),
        quantisation=_text(meta, "ftype") or quantisation(described),
        context=_number(meta, "n_ctx") or _number(one, "max_model_len") or _number(meta, "n_ctx_train"),
        loaded=None if not status else _text(status, "value") == "loaded",
        answers=answers(described),
    )


def program_of(told: object) -> Program:
    """Who answered `/v1/models`, by the name it signs with."""
    owners = {_text(one, "owned_by") for one in _entries(told, "data")}
    known = {OWNERS[owner] for owner in owners if owner in OWNERS}
    return known.pop() if len(known) == 1 else "OpenAI-compatible"


def billions(text: str) -> float | None:
    """How many billions of parameters a name speaks of: 7B, 270M, 8x7B, e4b."""
    for found in _BILLIONS.finditer(text):
        times, number, unit = found.groups()
        counted = float(number) * int(times or 1) * {"b": 1.0, "m": 0.001, "t": 1000.0}[unit.lower()]
        return round(counted, 3)
    return None


def quantisation(text: str) -> str:
    found = _QUANTISED.search(text)
    return found.group(1).upper() if found else ""


def answers(name: str) -> bool:
    """Whether a model of that name can be asked something."""
    return _OTHER_WORK.search(name) is None


# --- which one ------------------------------------------------------------------------------------------------


def recommended(offers: Iterable[Offer]) -> Offer | None:
    """The one to judge by: it stays on this machine, answers questions, has three to nine billion parameters rather
    than more or fewer, and is of a family that keeps to a JSON form. None where there is none of that kind at all."""
    able = [offer for offer in offers if offer.answers and not offer.elsewhere]
    return min(able, key=_rank, default=None)


def _rank(offer: Offer) -> tuple[float, bool, bool, int, bool, float, str]:
    name = offer.name.lower()
    family = next((place for place, word in enumerate(_FAMILIES) if word in name.replace("-", "")), len(_FAMILIES))
    return (
        _band(offer.billions),
        _matches(_SLOW, name),
        _matches(_CODER, name) or _matches(_VISION, name),
        family,
        offer.loaded is False,
        -(offer.billions or 0),
        offer.name,
    )


def _band(size: float | None) -> float:
    """Which sizes come first: small enough to be quick on a laptop, large enough to keep to a form."""
    if size is None:
        return 1.5
    return next((place for place, (least, most) in enumerate(_BANDS) if least <= size <= most), len(_BANDS))


def _matches(pattern: Pattern[str], name: str) -> bool:
    return pattern.search(name) is not None


# --- JSON that may be anything --------------------------------------------------------------------------------


def _entries(told: object, key: str) -> Sequence[Told]:
    listed = told.get(key) if isinstance(told, dict) else None
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _inner(one: Told, key: str) -> Told:
    found = one.get(key)
    return found if isinstance(found, dict) else {}


def _text(one: Told, key: str) -> str:
    found = one.get(key)
    return found if isinstance(found, str) and len(found) <= 500 and found.isprintable() else ""


def _number(one: Told, key: str) -> int | None:
    found = one.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None
