"""Runs the clients against the real program and its demo site.

$SPYHOP is the program: make clients-python builds it.
"""

import asyncio
import os
import re
import subprocess

import pytest

import spyhop


@pytest.fixture(scope="module")
def site():
    """The demo site: its URL, and the hosts that the policy has to allow."""
    process = subprocess.Popen([os.environ["SPYHOP"], "demo", "--keep"], stdout=subprocess.PIPE, text=True)
    url = allow = ""
    for line in process.stdout:
        url = url or "".join(re.findall(r"The site is at (\S+)/", line))
        allow = allow or "".join(re.findall(r"WEB_ALLOW_PRIVATE=(\S+)", line))
        if url and allow:
            break
    yield url, allow
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def settings(site, tmp_path_factory):
    return {"WEB_ALLOW_PRIVATE": site[1], "WEB_DATA_DIR": str(tmp_path_factory.mktemp("data")), "SEARXNG_URL": site[0], "WEB_SEARCH_PROVIDER": "searxng", "WEB_HOST_RATE": "1000/s"}


@pytest.fixture(scope="module")
def web(settings):
    with spyhop.Client(settings=settings) as client:
        yield client


def test_fetch(web, site):
    page = web.fetch(site[0] + "/documentation", query="exit status")
    assert page.title == "Reading the sightings feed"
    assert page.verdict == "complete"
    assert "Exit status" in page.markdown
    assert page.version and page.raw["metadata"]["status"] == 200


def test_schema(web, site):
    schema = {"type": "object", "properties": {"title": {"type": "string", "x-selector": "h1"}}}
    assert web.fetch(site[0] + "/documentation", schema=schema).data == {"title": "Reading the sightings feed"}


def test_search_and_map(web, site):
    assert web.search("humpback ferry", max_results=2)[0].url.startswith("http")
    assert site[0] + "/documentation" in [link.url for link in web.map(site[0] + "/")]


def test_crawl_batch_recall(web, site):
    pages = list(web.crawl(site[0] + "/", max_pages=4))
    assert len([p for p in pages if not p.error]) == 4 and all(p.markdown for p in pages if not p.error)
    batch = list(web.batch([site[0] + "/article", site[0] + "/nothing-here"]))
    assert sorted(bool(p.error) for p in batch) == [False, True]
    found = web.recall("humpback ferry")
    assert found[0].passages[0].text


def test_errors(web, site):
    with pytest.raises(spyhop.SpyhopError) as e:
        web.fetch("http://169.254.169.254/latest/meta-data/")
    assert e.value.type == "Blocked" and e.value.hint and not e.value.retryable
    with pytest.raises(spyhop.SpyhopError) as e:
        web.fetch(site[0] + "/nothing-here")
    assert e.value.type == "HTTPError"
    with pytest.raises(spyhop.SpyhopError) as e:
        web.fetch(site[0] + "/article", mod="text")
    assert e.value.type == "InvalidInput" and "mode" in e.value.hint


def test_no_server():
    with pytest.raises(spyhop.SpyhopError) as e:
        with spyhop.Client("http://127.0.0.1:9") as web:
            web.fetch("https://example.com/")
    assert e.value.type == "ConnectionError" and "spyhop serve" in e.value.hint
    with pytest.raises(spyhop.SpyhopError) as e:
        spyhop.Client(binary="/nowhere/spyhop")
    assert "/nowhere/spyhop" in e.value.message
    with pytest.raises(spyhop.SpyhopError) as e:
        spyhop.Client(settings={"WEB_HTTP": "maybe"})
    assert "WEB_HTTP" in e.value.message


def test_async(settings, site):
    async def run():
        async with spyhop.AsyncClient(settings=settings) as web:
            pages = await asyncio.gather(*(web.fetch(site[0] + path) for path in ("/article", "/documentation")))
            crawled = [p.url async for p in web.crawl(site[0] + "/", max_pages=3)]
            return [p.title for p in pages], crawled

    titles, crawled = asyncio.run(run())
    assert titles[1] == "Reading the sightings feed" and len(crawled) >= 3


def test_stops_the_program(settings):
    client = spyhop.Client(settings=settings)
    process = client._server._process
    client.close()
    client.close()
    assert process.poll() is not None
