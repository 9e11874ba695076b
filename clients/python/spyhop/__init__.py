"""Web access for language-model agents.

    import spyhop

    with spyhop.Client() as web:
        page = web.fetch("https://go.dev/doc/effective_go")
        print(page.title, page.markdown)

``Client`` and ``AsyncClient`` have the same methods. Without a URL they start the
``spyhop`` program, and stop it when they are closed.
"""

from ._client import AsyncClient, Client
from ._results import Crawl, CrawlPage, Link, Page, Passage, Recalled, SearchResult, SpyhopError

__all__ = [
    "AsyncClient",
    "Client",
    "Crawl",
    "CrawlPage",
    "Link",
    "Page",
    "Passage",
    "Recalled",
    "SearchResult",
    "SpyhopError",
]
__version__ = "0.1.0"
