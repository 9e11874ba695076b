"""Spyhop as a tool of LangChain. Not run here: it needs langchain and a model's key."""

import spyhop
from langchain_core.tools import tool

web = spyhop.Client()


@tool
def fetch(url: str, query: str = "") -> str:
    """Fetch a page as Markdown. With a query, only the passages that answer it."""
    return web.fetch(url, query=query or None, max_tokens=2000).markdown


@tool
def search(query: str) -> list[dict[str, str]]:
    """Search the web: title, URL and snippet of each result."""
    return [{"title": r.title, "url": r.url, "snippet": r.snippet} for r in web.search(query, max_results=5)]


if __name__ == "__main__":
    from langchain.agents import create_agent

    agent = create_agent("openai:gpt-5-mini", tools=[search, fetch])
    print(agent.invoke({"messages": [{"role": "user", "content": "How do whales sleep? Cite your sources."}]}))
