"""Files and pictures the gateway hands over. Their places are told, not their bytes: Herald runs on the same machine."""

from __future__ import annotations

import mimetypes
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


class SendsFiles:
    """Part of the adapter: every way the gateway has of sending a file, and the one that Herald is told."""

    async def send_document(
        self, chat_id: str, file_path: str, caption: str | None = None, file_name: str | None = None, reply_to: Any = None, **kw: Any
    ) -> Any:
        return await self._file(chat_id, file_path, caption, reply_to, kw.get("metadata"), file_name)

    async def send_image_file(self, chat_id: str, image_path: str, caption: str | None = None, reply_to: Any = None, **kw: Any) -> Any:
        return await self._file(chat_id, image_path, caption, reply_to, kw.get("metadata"))

    async def send_voice(self, chat_id: str, audio_path: str, caption: str | None = None, reply_to: Any = None, **kw: Any) -> Any:
        return await self._file(chat_id, audio_path, caption, reply_to, kw.get("metadata"))

    async def send_video(self, chat_id: str, video_path: str, caption: str | None = None, reply_to: Any = None, **kw: Any) -> Any:
        return await self._file(chat_id, video_path, caption, reply_to, kw.get("metadata"))

    async def send_image(self, chat_id: str, image_url: str, caption: str | None = None, reply_to: Any = None, metadata: Any = None, **_: Any) -> Any:
        path = _local_path(image_url)
        if path is not None:
            return await self._file(chat_id, path, caption, reply_to, metadata)
        # A picture on the net stays a link: what stands behind it is not fetched in anybody's name.
        return await self.send(chat_id, f"{caption}\n{image_url}" if caption else image_url, reply_to, metadata)

    async def send_animation(self, chat_id: str, animation_url: str, caption: str | None = None, reply_to: Any = None, metadata: Any = None, **_: Any) -> Any:
        return await self.send_image(chat_id, animation_url, caption, reply_to, metadata)

    async def send_multiple_images(self, chat_id: str, images: Any, metadata: Any = None, **_: Any) -> None:
        for url, caption in images:
            await self.send_image(chat_id, url, caption or None, None, metadata)

    async def _file(self, chat_id: str, path: str, caption: Any, reply_to: Any, metadata: Any, name: Any = None) -> Any:
        thread = str(metadata["thread_id"]) if isinstance(metadata, dict) and metadata.get("thread_id") else None
        turn = self._turns.of(str(chat_id), thread, reply_to)
        if turn is not None and turn.origin == "quiet":
            turn = None
        message = f"m-{uuid.uuid4().hex}"
        event = {
            "kind": "file",
            "message": message,
            "turn": turn.id if turn else None,
            "chat": str(chat_id),
            "thread": thread,
            "path": str(Path(path).expanduser()),
            "name": str(name or Path(path).name),
            "mime": mimetypes.guess_type(str(name or path))[0] or "application/octet-stream",
            "text": str(caption) if caption else None,
        }
        return await self._said(event, message, wait=turn is None)


def _local_path(url: str) -> str | None:
    parts = urlsplit(url)
    if parts.scheme == "file":
        return unquote(parts.path)
    return url if url.startswith(("/", "~/")) else None
