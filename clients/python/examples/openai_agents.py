"""Spyhop as an MCP server of the OpenAI Agents SDK. Not run here: it needs the SDK and a key."""

import asyncio

from agents import Agent, Runner
from agents.mcp import MCPServerStdio


async def main() -> None:
    async with MCPServerStdio(params={"command": "spyhop", "args": ["mcp", "--tools", "core"]}) as web:
        agent = Agent(name="researcher", instructions="Search and fetch pages. Cite their URLs.", mcp_servers=[web])
        print((await Runner.run(agent, "How do whales sleep?")).final_output)


asyncio.run(main())
