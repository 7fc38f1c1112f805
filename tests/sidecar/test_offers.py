"""What servers say they have is read in one form, and one that fits is recommended, never one that answers nothing."""

from __future__ import annotations

import pytest

from aftermind.sidecar.models.offers import (
    Offer,
    billions,
    from_lm_studio,
    from_ollama,
    from_openai,
    program_of,
    quantisation,
    recommended,
)


def tag(name, size, parameters="", **more):
    details = {"family": more.pop("family", "llama"), "parameter_size": parameters, "quantization_level": "Q4_K_M"}
    return {"name": name, "model": name, "size": size, "details": details, **more}


OLLAMA = {
    "models": [
        tag("nomic-embed-text:latest", 274302450, "137M", family="nomic-bert"),
        tag("bge-m3:latest", 1157672605, "566.70M", family="bert"),
        tag("llama3.3:70b", 42520413916, "70.6B"),
        tag("smollm2:135m", 270898672, "134.52M"),
        tag("gemma3:4b", 3338801804, "4.3B", family="gemma3"),
        tag("qwen3:8b", 5225388164, "8.2B", capabilities=["completion", "tools", "thinking"]),
        tag("deepseek-r1:7b", 4683075271, "7.6B"),
        tag("gpt-oss:120b-cloud", 384, "116.8B", remote_model="gpt-oss:120b", remote_host="https://ollama.com:443"),
    ]
}
LM_STUDIO = {
    "object": "list",
    "data": [
        {"id": "text-embedding-nomic-embed-text-v1.5", "type": "embeddings", "state": "not-loaded"},
        {"id": "qwen2.5-vl-7b-instruct", "type": "vlm", "state": "not-loaded", "quantization": "4bit"},
        {
            "id": "meta-llama-3.1-8b-instruct",
            "type": "llm",
            "state": "loaded",
            "quantization": "Q4_K_M",
            "max_context_length": 131072,
        },
    ],
}
LLAMA_CPP = {
    "object": "list",
    "models": [{"name": "judge.gguf", "model": "judge.gguf", "details": {"parameter_size": ""}}],
    "data": [
        {
            "id": "judge.gguf",
            "object": "model",
            "owned_by": "llamacpp",
            "meta": {"n_ctx": 8192, "n_ctx_train": 131072, "n_params": 8030261312, "size": 4912898304, "ftype": "Q4_K"},
        }
    ],
}
VLLM = {
    "object": "list",
    "data": [
        {"id": "judge", "object": "model", "owned_by": "vllm", "root": "Qwen/Qwen2.5-7B-Instruct-AWQ"}
        | {"max_model_len": 16384, "permission": [{"id": "modelperm-1", "object": "model_permission"}]}
    ],
}


def test_an_ollama_says_sizes_and_which_of_its_models_are_elsewhere():
    offers = {offer.name: offer for offer in from_ollama(OLLAMA)}
    assert offers["gemma3:4b"] == Offer(
        model="ollama_chat/gemma3:4b", name="gemma3:4b", size=3338801804, billions=4.3, quantisation="Q4_K_M"
    )
    assert {name for name, offer in offers.items() if not offer.answers} == {"nomic-embed-text:latest", "bge-m3:latest"}
    assert (offers["gpt-oss:120b-cloud"].elsewhere, offers["gpt-oss:120b-cloud"].size) == (
        "https://ollama.com:443",
        None,
    )
    assert from_ollama({"models": [tag("odd", 1, capabilities=["embedding"])]})[0].answers is False


def test_an_lm_studio_says_which_kind_a_model_is_and_whether_it_is_loaded():
    embedding, _, llama = from_lm_studio(LM_STUDIO)
    assert not embedding.answers
    assert (llama.model, llama.billions, llama.quantisation, llama.context, llama.loaded) == (
        "openai/meta-llama-3.1-8b-instruct",
        8.0,
        "Q4_K_M",
        131072,
        True,
    )


def test_llama_cpp_and_vllm_say_more_than_their_model_is_called():
    (llama,) = from_openai(LLAMA_CPP)
    assert (llama.billions, llama.size, llama.quantisation, llama.context) == (8.0, 4912898304, "Q4_K", 8192)
    (vllm,) = from_openai(VLLM)
    assert (vllm.model, vllm.billions, vllm.quantisation, vllm.context) == ("openai/judge", 7.0, "AWQ", 16384)
    assert (program_of(LLAMA_CPP), program_of(VLLM)) == ("llama.cpp", "vLLM")
    assert program_of({"data": [{"id": "a", "owned_by": "me"}]}) == "OpenAI-compatible"


def test_a_file_says_what_an_alias_does_not():
    told = {"data": [{"id": "default", "owned_by": "llamacpp"}]}
    (offer,) = from_openai(told, "/models/Llama-3.2-3B-Instruct-Q8_0.gguf")
    assert (offer.billions, offer.quantisation) == (3.0, "Q8_0")
    assert not from_openai(told, "/models/bge-reranker-v2-m3.gguf")[0].answers


def test_a_router_of_llama_cpp_says_what_is_loaded():
    told = {"data": [{"id": "Qwen3-4B-Q4_K_M", "owned_by": "llamacpp", "status": {"value": "unloaded"}}]}
    assert from_openai(told)[0].loaded is False


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "text",
        {"models": None, "data": 3},
        {"models": [None, 1, {}, {"name": 5}], "data": [{"id": None}, []]},
        {"models": [{"name": "a\x1b[2Jb"}], "data": [{"id": "x" * 501}]},
    ],
)
def test_what_is_no_listing_offers_nothing(told):
    assert (from_ollama(told), from_lm_studio(told), from_openai(told)) == ((), (), ())


def test_a_listing_of_odd_values_is_read_as_far_as_it_says_something():
    told = {"models": [{"name": "m:1b", "size": "big", "details": None, "remote_host": 3, "capabilities": "all"}]}
    assert from_ollama(told) == (Offer(model="ollama_chat/m:1b", name="m:1b", billions=1.0),)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("qwen2.5-7b-instruct", 7.0),
        ("mixtral-8x7b", 56.0),
        ("gemma-3n-E4B-it", 4.0),
        ("qwen3-30b-a3b", 30.0),
        ("SmolLM2-360M", 0.36),
        ("llama3.2", None),
        ("gpt-4o-mini", None),
        ("kimi 1T", 1000.0),
    ],
)
def test_a_name_says_how_large_a_model_is(name, expected):
    assert billions(name) == expected


def test_a_name_says_how_a_model_is_quantised():
    assert [quantisation(name) for name in ("a-Q4_K_M.gguf", "b-iq3_xs", "c-fp16", "d-4bit", "e-instruct")] == [
        "Q4_K_M",
        "IQ3_XS",
        "FP16",
        "4BIT",
        "",
    ]


def offers(*names):
    return [offer for name in names for offer in from_openai({"data": [{"id": name}]})]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("llama-3.3-70b-instruct", "qwen2.5-7b-instruct", "qwen2.5-0.5b-instruct"), "qwen2.5-7b-instruct"),
        (("deepseek-r1-distill-qwen-7b", "llama-3.2-3b-instruct"), "llama-3.2-3b-instruct"),
        (("qwen2.5-coder-7b-instruct", "mistral-7b-instruct"), "mistral-7b-instruct"),
        (("qwen3-14b", "qwen3-1.7b", "qwen3-32b"), "qwen3-14b"),
        (("gemma-3-1b-it", "llama-3.1-405b"), "gemma-3-1b-it"),
        (("bge-m3", "qwen3-embedding-4b", "qwen3-reranker-4b", "llama-guard-3-8b", "whisper-large"), None),
        (("text-embedding-3-small", "llama-3.1-405b"), "llama-3.1-405b"),
        ((), None),
    ],
)
def test_a_small_model_that_answers_is_recommended(names, expected):
    found = recommended(offers(*names))
    assert (found and found.name) == expected


def test_of_an_ollama_what_is_elsewhere_is_not_recommended():
    found = recommended(from_ollama(OLLAMA))
    assert found is not None
    assert found.name == "qwen3:8b"
    assert recommended(offer for offer in from_ollama(OLLAMA) if offer.elsewhere) is None
