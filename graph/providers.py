"""The providers of LangChain's `init_chat_model`, each with the package that holds its models."""

from difflib import get_close_matches
from typing import get_args

from .endpoint import Kind

PACKAGES = {
    "anthropic": "langchain-anthropic", "anthropic_bedrock": "langchain-aws", "azure_ai": "langchain-azure-ai",
    "azure_openai": "langchain-openai", "baseten": "langchain-baseten", "bedrock": "langchain-aws",
    "bedrock_converse": "langchain-aws", "cohere": "langchain-cohere", "deepseek": "langchain-deepseek",
    "fireworks": "langchain-fireworks", "google_anthropic_vertex": "langchain-google-vertexai",
    "google_genai": "langchain-google-genai", "google_vertexai": "langchain-google-vertexai", "groq": "langchain-groq",
    "huggingface": "langchain-huggingface", "ibm": "langchain-ibm", "litellm": "langchain-litellm",
    "mistralai": "langchain-mistralai", "nvidia": "langchain-nvidia-ai-endpoints", "openrouter": "langchain-openrouter",
    "perplexity": "langchain-perplexity", "together": "langchain-together", "upstage": "langchain-upstage",
    "xai": "langchain-xai",
}
"""Provider to distribution. Only these are ever named to people: advice to install a name made up from a typo would hand
them whatever somebody has put there."""

_OWN = (*get_args(Kind), "recording", "paste")


def problem_of(name: str) -> str | None:
    """What is wrong with the name of a model that no other part of this package serves; None where LangChain may."""
    provider, colon, _ = name.partition(":")
    if not colon:
        return (f"model {name!r} names no provider: write openai:{name}, ollama:{name}, or another provider's name before "
                f"the colon; known: {_known()}")
    provider = _spelled(provider)
    if provider in PACKAGES:
        return None
    near = get_close_matches(provider, [*_OWN, *PACKAGES], n=1, cutoff=0.6)
    guess = f"; did you mean {near[0]}?" if near else ";"
    return f"unknown provider {provider!r}{guess} known: {_known()}"


def install_line(name: str) -> str:
    """The command that installs what a model of a known provider needs."""
    return f"pip install langchain {PACKAGES[_spelled(name.partition(':')[0])]}"


def _spelled(provider: str) -> str:
    """As LangChain reads it."""
    return provider.replace("-", "_").lower()


def _known() -> str:
    return ", ".join([*_OWN, *PACKAGES])
