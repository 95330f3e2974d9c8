"""How the app is found: ``endpoint.json`` in its data folder, and a token as the bridge finds it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, Optional


def home() -> Path:
    """The data folder: ``COUNTERSIGN_HOME``, else the system's place for data."""
    named = os.environ.get("COUNTERSIGN_HOME")
    if named:
        return Path(os.path.abspath(named))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "countersign"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "countersign"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "countersign"


def _object(path: Path) -> Dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def url(folder: Path) -> Optional[str]:
    """Where the app listens, as the discovery file says; it stays behind after a crash, and then nothing listens."""
    found = _object(folder / "endpoint.json").get("url")
    return found if isinstance(found, str) else None


def token(folder: Path, workspace: str) -> Optional[str]:
    """``COUNTERSIGN_TOKEN``, else the newest token that is kept for the workspace, else the newest of all."""
    named = os.environ.get("COUNTERSIGN_TOKEN")
    if named:
        return named
    kept = []
    for path in (folder / "tokens").glob("*.json"):
        value = _object(path)
        if isinstance(value.get("token"), str):
            kept.append((path.stat().st_mtime, value))
    kept.sort(key=lambda one: one[0], reverse=True)
    here = [value for _, value in kept if value.get("workspace") == workspace] + [value for _, value in kept]
    return here[0]["token"] if here else None


def workspace(folder: Path) -> str:
    """The workspace of a folder: the git root, else the folder itself."""
    start = folder.resolve(strict=True)
    for at in (start, *start.parents):
        if (at / ".git").exists():
            return str(at)
    return str(start)
