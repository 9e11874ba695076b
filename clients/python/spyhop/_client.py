"""The clients. ``_Calls`` makes requests and reads responses; the two clients only send."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any, AsyncIterator, Callable, Generic, Iterator, TypeVar

import httpx

from ._results import Crawl, CrawlPage, Link, Object, Page, Recalled, SearchResult, SpyhopError
from ._server import Server

T = TypeVar("T")
_POLL = 0.3  # seconds between two looks at a crawl that has no new page


class _Call(Generic[T]):
    def __init__(self, method: str, path: str, read: Callable[[Any], T], json: Object | None = None, params: dict[str, Any] | None = None) -> None:
        self.method, self.path, self.read = method, path, read
        self.json, self.params = json, params


def _tool(name: str, read: Callable[[Any], T], args: dict[str, Any]) -> _Call[T]:
    return _Call("POST", f"/v1/tools/{name}", read, json={k: v for k, v in args.items() if v is not None})


def _fetch(url: str, options: dict[str, Any]) -> _Call[Page]:
    return _tool("web_fetch", Page.of, {"url": url, **options})


def _search(query: str, max_results: int, options: dict[str, Any]) -> _Call[list[SearchResult]]:
    return _tool("web_search", lambda o: [SearchResult.of(r) for r in o.get("results") or []], {"query": query, "max_results": max_results, **options})


def _map(url: str, options: dict[str, Any]) -> _Call[list[Link]]:
    return _tool("web_map", lambda o: [Link.of(r) for r in o.get("links") or []], {"url": url, **options})


def _recall(query: str, options: dict[str, Any]) -> _Call[list[Recalled]]:
    return _tool("web_recall", lambda o: [Recalled.of(p) for p in o.get("pages") or []], {"query": query, **options})


def _start(kind: str, body: dict[str, Any]) -> _Call[Crawl]:
    return _Call("POST", f"/v1/{kind}", Crawl.of, json={k: v for k, v in body.items() if v is not None})


def _pages(kind: str, job: str, cursor: int) -> _Call[Object]:
    return _Call("GET", f"/v1/{kind}/{job}/pages", dict, params={"cursor": cursor, "limit": 100})


def _state(kind: str, job: str) -> _Call[Crawl]:
    return _Call("GET", f"/v1/{kind}/{job}", Crawl.of)


def _read(call: _Call[T], response: httpx.Response) -> T:
    try:
        body = response.json() if response.content else {}
    except ValueError:
        raise SpyhopError(f"the server responded with status {response.status_code} and no JSON", status=response.status_code, hint="is this the URL of spyhop serve?") from None
    if response.status_code >= 400 or isinstance(body, dict) and body.get("error") is True:
        wait = response.headers.get("retry-after", "")
        raise SpyhopError(
            body.get("error_message") or body.get("detail") or body.get("title") or f"status {response.status_code}", type=body.get("error_type", "InternalError"),
            hint=body.get("hint", ""), retryable=bool(body.get("retry_possible")), status=int(body.get("upstream_status") or response.status_code),
            retry_after=float(wait) if wait.isdigit() else 0)
    return call.read(body)


def _unreachable(url: str, e: httpx.TransportError) -> SpyhopError:
    if isinstance(e, httpx.TimeoutException):
        return SpyhopError(f"the server at {url} did not respond in time", type="Timeout", retryable=True, hint="give a larger timeout")
    return SpyhopError(f"the server at {url} cannot be reached: {e}", type="ConnectionError", retryable=True, hint="start it with: spyhop serve")


class _Base:
    def __init__(self, url: str | None, token: str | None, timeout: float, binary: str | None, settings: dict[str, str] | None) -> None:
        url = url or os.environ.get("SPYHOP_URL")
        self._server = None if url else Server(binary, settings)
        self.url = (url or (self._server.url if self._server else "")).rstrip("/")
        token = token or os.environ.get("SPYHOP_TOKEN")
        self._options: dict[str, Any] = {"base_url": self.url, "timeout": timeout, "headers": {"Authorization": f"Bearer {token}"} if token else {}, "trust_env": False}

    def _stop(self) -> None:
        if self._server:
            self._server.close()


class Client(_Base):
    """Calls Spyhop. ``url`` is that of a server ($SPYHOP_URL); without one the program is started.

    ``timeout`` is in seconds, for each request. Options of methods are the arguments of the tool of
    the same name (docs/tools.md), for example ``max_tokens=500``. A client may be used by many threads.
    """

    def __init__(self, url: str | None = None, *, token: str | None = None, timeout: float = 130, binary: str | None = None, settings: dict[str, str] | None = None) -> None:
        super().__init__(url, token, timeout, binary, settings)
        self._http = httpx.Client(**self._options)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()
        self._stop()

    def _send(self, call: _Call[T]) -> T:
        try:
            response = self._http.request(call.method, call.path, json=call.json, params=call.params)
        except httpx.TransportError as e:
            raise _unreachable(self.url, e) from e
        return _read(call, response)

    def fetch(self, url: str, **options: Any) -> Page:
        """Fetches a page: ``query``, ``mode``, ``max_tokens``, ``prompt``, ``schema``, ``render``, …"""
        return self._send(_fetch(url, options))

    def search(self, query: str, max_results: int = 10, **options: Any) -> list[SearchResult]:
        """Searches the web."""
        return self._send(_search(query, max_results, options))

    def map(self, url: str, **options: Any) -> list[Link]:
        """Lists the pages that a site names."""
        return self._send(_map(url, options))

    def recall(self, query: str, **options: Any) -> list[Recalled]:
        """Searches the pages fetched before. Raises NoContent where none matches."""
        return self._send(_recall(query, options))

    def call(self, tool: str, **arguments: Any) -> Any:
        """Calls any tool by name and returns its object."""
        return self._send(_tool(tool, lambda o: o, arguments))

    def crawl(self, url: str, **options: Any) -> Iterator[CrawlPage]:
        """Crawls a site and yields its pages as they come: ``max_pages``, ``include``, ``query``, …"""
        return self._job("crawls", {"url": url, **options})

    def batch(self, urls: list[str], **options: Any) -> Iterator[CrawlPage]:
        """Fetches a list of URLs and yields the pages as they come."""
        return self._job("batches", {"urls": urls, **options})

    def crawl_state(self, job: str) -> Crawl:
        """The state of a crawl, for example of ``page.raw``'s job."""
        return self._send(_state("crawls", job))

    def _job(self, kind: str, body: dict[str, Any]) -> Iterator[CrawlPage]:
        job, cursor = self._send(_start(kind, body)).job, 0
        while True:
            state = self._send(_state(kind, job))
            part = self._send(_pages(kind, job, cursor))
            cursor = part.get("next", cursor)
            for page in part.get("pages") or []:
                yield CrawlPage.of(page)
            if not part.get("pages"):
                if not state.running:
                    return
                time.sleep(_POLL)


class AsyncClient(_Base):
    """Client with ``async`` methods."""

    def __init__(self, url: str | None = None, *, token: str | None = None, timeout: float = 130, binary: str | None = None, settings: dict[str, str] | None = None) -> None:
        super().__init__(url, token, timeout, binary, settings)
        self._http = httpx.AsyncClient(**self._options)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()
        await asyncio.get_running_loop().run_in_executor(None, self._stop)

    async def _send(self, call: _Call[T]) -> T:
        try:
            response = await self._http.request(call.method, call.path, json=call.json, params=call.params)
        except httpx.TransportError as e:
            raise _unreachable(self.url, e) from e
        return _read(call, response)

    async def fetch(self, url: str, **options: Any) -> Page:
        return await self._send(_fetch(url, options))

    async def search(self, query: str, max_results: int = 10, **options: Any) -> list[SearchResult]:
        return await self._send(_search(query, max_results, options))

    async def map(self, url: str, **options: Any) -> list[Link]:
        return await self._send(_map(url, options))

    async def recall(self, query: str, **options: Any) -> list[Recalled]:
        return await self._send(_recall(query, options))

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self._send(_tool(tool, lambda o: o, arguments))

    def crawl(self, url: str, **options: Any) -> AsyncIterator[CrawlPage]:
        return self._job("crawls", {"url": url, **options})

    def batch(self, urls: list[str], **options: Any) -> AsyncIterator[CrawlPage]:
        return self._job("batches", {"urls": urls, **options})

    async def crawl_state(self, job: str) -> Crawl:
        return await self._send(_state("crawls", job))

    async def _job(self, kind: str, body: dict[str, Any]) -> AsyncIterator[CrawlPage]:
        job, cursor = (await self._send(_start(kind, body))).job, 0
        while True:
            state = await self._send(_state(kind, job))
            part = await self._send(_pages(kind, job, cursor))
            cursor = part.get("next", cursor)
            for page in part.get("pages") or []:
                yield CrawlPage.of(page)
            if not part.get("pages"):
                if not state.running:
                    return
                await asyncio.sleep(_POLL)
