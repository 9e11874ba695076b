"""What calls return. Each value keeps the server's object in ``raw``."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping

Object = Mapping[str, Any]


class SpyhopError(Exception):
    """An error of the server, or of starting it.

    ``type`` is from a closed set (``Blocked``, ``HTTPError``, ``NoContent``, …), ``hint`` is
    the next step, ``retryable`` reports whether the same call can succeed later.
    """

    def __init__(self, message: str, *, type: str = "InternalError", hint: str = "", retryable: bool = False, status: int = 0, retry_after: float = 0) -> None:
        super().__init__(message + (f" ({hint})" if hint else ""))
        self.message, self.type, self.hint = message, type, hint
        self.retryable, self.status, self.retry_after = retryable, status, retry_after


@dataclass(frozen=True)
class Page:
    """A fetched page."""

    url: str
    """The URL of the content, after redirects."""
    title: str
    markdown: str
    verdict: str
    """complete, partial (see notices) or thin."""
    page_type: str
    content: str
    """The answer to a prompt, or the JSON of a schema (see data); "" without either."""
    links: list[Any]
    """With mode="links": the links to the same site."""
    notices: list[str]
    truncated: bool
    next_start_index: int | None
    """Where to continue when the content was cut."""
    version: str
    tokens: int
    raw: Object = field(repr=False)

    @property
    def data(self) -> Any:
        """The value of a schema; raises ValueError where content is no JSON."""
        return json.loads(self.content)

    @classmethod
    def of(cls, o: Object) -> Page:
        meta = o.get("metadata") or {}
        return cls(
            url=str(o.get("final_url") or o.get("url") or ""), title=o.get("title", ""), markdown=o.get("markdown", ""), verdict=o.get("verdict", ""),
            page_type=o.get("page_type", ""), content=o.get("content") or "", links=list(o.get("links") or []), notices=list(o.get("notices") or []),
            truncated=bool(o.get("truncated")), next_start_index=o.get("next_start_index"), version=meta.get("version", ""), tokens=int(meta.get("tokens", 0)), raw=o)


@dataclass(frozen=True)
class SearchResult:
    title: str
    url: str
    snippet: str
    raw: Object = field(repr=False)

    @classmethod
    def of(cls, o: Object) -> SearchResult:
        return cls(title=o.get("title", ""), url=o.get("url", ""), snippet=o.get("snippet", ""), raw=o)


@dataclass(frozen=True)
class Link:
    """A page that a site names."""

    url: str
    title: str
    raw: Object = field(repr=False)

    @classmethod
    def of(cls, o: Object) -> Link:
        return cls(url=o.get("url", ""), title=o.get("title", ""), raw=o)


@dataclass(frozen=True)
class CrawlPage:
    """A page of a crawl. ``error`` is set where it could not be fetched."""

    url: str
    title: str
    markdown: str
    verdict: str
    error: str
    raw: Object = field(repr=False)

    @classmethod
    def of(cls, o: Object) -> CrawlPage:
        e = o.get("error") or ""
        if isinstance(e, Mapping):
            e = e.get("error_message", "")
        return cls(url=o.get("url", ""), title=o.get("title", ""), markdown=o.get("markdown", ""), verdict=o.get("verdict", ""), error=str(e), raw=o)


@dataclass(frozen=True)
class Crawl:
    """The state of a crawl or a batch."""

    job: str
    state: str
    """queued, running, stopped or done."""
    stopped: str
    """Why it does not run; "" while it runs."""
    read: int
    failed: int
    left: int
    raw: Object = field(repr=False)

    @classmethod
    def of(cls, o: Object) -> Crawl:
        return cls(job=o.get("job", ""), state=o.get("state", ""), stopped=o.get("stopped", ""), read=int(o.get("read", 0)), failed=int(o.get("failed", 0)), left=int(o.get("left", 0)), raw=o)

    @property
    def running(self) -> bool:
        return self.state in ("queued", "running")


@dataclass(frozen=True)
class Passage:
    text: str
    section: str
    link: str
    """The URL with a text fragment that leads to the passage in a browser."""


@dataclass(frozen=True)
class Recalled:
    """A page fetched before, with the passages that match."""

    url: str
    title: str
    version: str
    passages: list[Passage]
    raw: Object = field(repr=False)

    @classmethod
    def of(cls, o: Object) -> Recalled:
        passages = [Passage(p.get("text", ""), p.get("section", ""), p.get("link", "")) for p in o.get("passages") or []]
        return cls(url=o.get("url", ""), title=o.get("title", ""), version=o.get("version", ""), passages=passages, raw=o)
