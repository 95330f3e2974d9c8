"""An agent's program with MCP's current Python SDK (2.x, protocol 2026-07-28)."""

import os

import anyio
import client_lines as lines
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def talk(server):
    async with Client(server) as client:

        async def call(tool, arguments, timeout):
            result = await client.call_tool(tool, arguments, read_timeout_seconds=timeout)
            return lines.text_of(result.content), result.structured_content, result.is_error

        lines.say(ready=client.protocol_version)
        await lines.obey(call)


async def main():
    wanted = lines.arguments()
    if wanted.bridge:
        command, *args = wanted.bridge
        await talk(StdioServerParameters(command=command, args=args, env=dict(os.environ)))
    else:
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {lines.token()}"}) as http:
            await talk(streamable_http_client(wanted.url, http_client=http))


anyio.run(main)
