"""An agent's program with MCP's last 1.x Python SDK, for the protocol with `initialize` and sessions."""

import os
from contextlib import asynccontextmanager
from datetime import timedelta

import anyio
import client_lines as lines
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamablehttp_client


@asynccontextmanager
async def streams(wanted):
    if wanted.bridge:
        command, *args = wanted.bridge
        async with stdio_client(StdioServerParameters(command=command, args=args, env=dict(os.environ))) as (read, write):
            yield read, write
    else:
        headers = {"Authorization": f"Bearer {lines.token()}"}
        async with streamablehttp_client(wanted.url, headers=headers) as (read, write, _session_id):
            yield read, write


async def main():
    async with streams(lines.arguments()) as (read, write), ClientSession(read, write) as session:

        async def call(tool, arguments, timeout):
            limit = timedelta(seconds=timeout) if timeout is not None else None
            result = await session.call_tool(tool, arguments, read_timeout_seconds=limit)
            return lines.text_of(result.content), result.structuredContent, result.isError

        lines.say(ready=str((await session.initialize()).protocolVersion))
        await lines.obey(call)


anyio.run(main)
