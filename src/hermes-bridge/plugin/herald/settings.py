"""Where Herald is and the secret it knows us by. Written by `herald hermes install`, readable by the owner only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

FILE = "herald.json"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@dataclass(frozen=True)
class Settings:
    url: str
    token: str


def read_settings(folder: Path) -> Settings | None:
    """None when the file is missing, damaged, or names an address beyond this machine: the token leaves it for nobody."""
    try:
        raw = json.loads((folder / FILE).read_text(encoding="utf-8"))
        url, token = raw["url"], raw["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(url, str) or not isinstance(token, str) or len(token) < 16:
        return None
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname not in LOOPBACK:
        return None
    return Settings(url=url.rstrip("/"), token=token)
