"""The agents' side of the port: HTTP over loopback, with a token."""

from __future__ import annotations

import http.client
import json
from typing import Any, Dict, Optional
from urllib.parse import quote, urlsplit


class PortError(Exception):
    """A call that did not come to an answer. Never a decision."""

    def __init__(self, message: str, status: Optional[int] = None):
        super().__init__(message)
        self.status = status


class Port:
    """The port, as one program sees it. Each call has a connection of its own."""

    def __init__(self, url: str, token: str, session: str, workspace: str):
        self.url = url
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Countersign-Session": session,
            "Countersign-Workspace": quote(workspace, safe="/-_.~"),
        }

    def get(self, path: str, seconds: float) -> Dict[str, Any]:
        return self._call("GET", path, None, seconds)

    def post(self, path: str, body: Dict[str, Any], seconds: float) -> Dict[str, Any]:
        return self._call("POST", path, body, seconds)

    def open(self, path: str) -> http.client.HTTPConnection:
        """A connection with a stream that stays open; closing it ends that."""
        connection = self._connect(30)
        connection.request("GET", path, headers=self.headers)
        return connection

    def _connect(self, seconds: float) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        return http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=seconds)

    def _call(self, method: str, path: str, body: Optional[Dict[str, Any]], seconds: float) -> Dict[str, Any]:
        headers = dict(self.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = self._connect(seconds)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode("utf-8"), headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise PortError(f"Countersign isn't running at {self.url}: {error}") from error
        finally:
            connection.close()
        try:
            said = json.loads(text)
        except ValueError as error:
            raise PortError(f"what answers at {self.url} is not Countersign") from error
        if not isinstance(said, dict):
            raise PortError(f"what answers at {self.url} is not Countersign")
        if response.status >= 300:
            raise PortError(str(said.get("message", f"refused with HTTP status {response.status}")), response.status)
        return said
