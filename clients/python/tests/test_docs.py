"""Runs the blocks of docs/python.md on the demo site."""

import re
from pathlib import Path

import pytest

from test_client import settings, site  # noqa: F401  (fixtures)

PAGE = Path(__file__).parents[3] / "docs" / "python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M)


@pytest.mark.parametrize("block", BLOCKS)
def test_block(block, site, settings, monkeypatch, capsys):  # noqa: F811
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    exec(compile(block.replace("https://go.dev/doc/effective_go", site[0] + "/documentation").replace("https://go.dev/doc/", site[0] + "/"), str(PAGE), "exec"), {})
    assert capsys.readouterr().out.strip()


def test_count():
    assert len(BLOCKS) >= 6
