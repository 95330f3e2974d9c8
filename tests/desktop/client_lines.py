"""What both agents' programs share: commands come in as JSON lines on stdin, what happens goes out as JSON lines.

In:  {"id": 1, "tool": "ask_human", "arguments": {…}, "timeout": seconds or null}
Out: {"ready": "2026-07-28"} once, then {"id": 1, "text": "…", "structured": {…}, "is_error": false} or {"id": 1, "error": "…"}
"""

import argparse
import json
import os
import sys

import anyio


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", help="the address of /mcp; the token is in COUNTERSIGN_TOKEN")
    parser.add_argument("--bridge", nargs="+", metavar="COMMAND", help="a command that speaks MCP over stdio")
    return parser.parse_args()


def token():
    return os.environ["COUNTERSIGN_TOKEN"]


def say(**message):
    print(json.dumps(message), flush=True)


async def obey(call):
    """Runs commands, several at once, till stdin ends. `call(tool, arguments, timeout)` gives (text, structured, is_error)."""

    async def one(command):
        try:
            text, structured, is_error = await call(command["tool"], command["arguments"], command.get("timeout"))
        except Exception as error:  # whatever an SDK raises, the test reads it
            say(id=command["id"], error=f"{type(error).__name__}: {error}")
        else:
            say(id=command["id"], text=text, structured=structured, is_error=is_error)

    async with anyio.create_task_group() as tasks:
        async for line in anyio.wrap_file(sys.stdin):
            tasks.start_soon(one, json.loads(line))
        tasks.cancel_scope.cancel()


def text_of(content):
    return "\n".join(part.text for part in content if part.type == "text")
