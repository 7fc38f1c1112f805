"""What is local is so by its address; everything else is named, so that it can be confirmed."""

from __future__ import annotations

import pytest

from aftermind.engine.errors import Unusable
from aftermind.sidecar.models.endpoint import endpoint_of


@pytest.mark.parametrize(
    ("model", "base_url", "address", "name"),
    [
        ("ollama/llama3.2:3b", "", "http://127.0.0.1:11434", "127.0.0.1:11434/llama3.2:3b"),
        ("openai/qwen", "http://localhost:8080/v1/", "http://localhost:8080/v1", "localhost:8080/qwen"),
        ("openai/qwen", "http://127.8.9.1/v1", "http://127.8.9.1/v1", "127.8.9.1/qwen"),
        ("openai/qwen", "http://[::1]:9000/v1", "http://[::1]:9000/v1", "[::1]:9000/qwen"),
    ],
)
def test_a_loopback_address_is_local(model, base_url, address, name):
    found = endpoint_of(model, base_url)
    assert (found.local, found.address, found.name) == (True, address, name)


@pytest.mark.parametrize(
    ("model", "base_url", "name"),
    [
        ("openai/gpt-4o-mini", "", "openai/gpt-4o-mini"),
        ("ollama/llama3.2:3b", "http://192.168.1.7:11434", "192.168.1.7:11434/llama3.2:3b"),
        ("ollama_chat/gpt-oss:120b-cloud", "", "ollama.com/gpt-oss:120b-cloud"),
        ("ollama_chat/gpt-oss:120b-CLOUD", "", "ollama.com/gpt-oss:120b-CLOUD"),
        ("openai/gpt-oss:120b-cloud", "http://127.0.0.1:11434/v1", "ollama.com/gpt-oss:120b-cloud"),
        ("hosted_vllm/qwen3-coder:cloud", "http://localhost:11434/v1", "ollama.com/qwen3-coder:cloud"),
        ("openai/x-cloud", "https://models.example.com/v1", "models.example.com/x-cloud"),
        ("openai/x", "https://localhost.example.com/v1", "localhost.example.com/x"),
        ("openai/x", "http://127.0.0.1.example.com/v1", "127.0.0.1.example.com/x"),
        ("openai/x", "http://0.0.0.0:8000/v1", "0.0.0.0:8000/x"),
    ],
)
def test_any_other_is_remote_and_has_a_name(model, base_url, name):
    found = endpoint_of(model, base_url)
    assert (found.local, found.name) == (False, name)


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:99999/v1", "http://[::1/v1", "http://127.0.0.1:abc", "http://127.0.0.1:0", "qwen"]
)
def test_what_is_no_address_is_refused(base_url):
    with pytest.raises(Unusable, match="no address"):
        endpoint_of("openai/qwen", base_url)
