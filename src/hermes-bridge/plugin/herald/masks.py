"""Secrets stay in Hermes: what looks like one is masked before it is sent. Herald masks once more at its door."""

from __future__ import annotations

import re
from typing import Any

MASK = "••••"

#: Keys whose whole value is a secret.
_SECRET_KEY = re.compile(
    r"(?i)(?:^|[_\-.])(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|authorization|cookies?|credentials?|jwt"
    r"|(?:access|private|secret|encrypt|signing|session)_?key)$"
)
#: Every repetition is bounded or stands alone, and the texts are short: none of these can be made to hang.
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)"), MASK),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"), MASK),
    (re.compile(r"(?i)\b(bearer|basic|token)\s+[\w.~+/=-]{8,}"), rf"\1 {MASK}"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20}://[^\s:@/]{0,100}):[^\s@/]{1,200}@"), rf"\1:{MASK}@"),
    (re.compile(r"\b(?:sk|pk|rk)[-_][\w-]{16,}"), MASK),
    (re.compile(r"\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|hf_|npm_|pypi-|gsk_|ya29\.)[\w.-]{10,}"), MASK),
    (re.compile(r"\b(?:AKIA|ASIA|AKID|LTAI)[A-Za-z0-9]{12,}|\bAIza[\w-]{30,}"), MASK),
    (
        re.compile(
            r"(?i)(?<![a-z0-9])((?:[a-z0-9]{1,40}[_.-]){0,6}[a-z0-9]{0,40}?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key"
            r"|access[_-]?key|private[_-]?key|credentials?|cookie)[\"']?\s{0,3}(?:=>|[=:：])\s{0,3})[\"']?[^\s\"'`,;，；。]{3,2000}"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"((?:密码|口令|密钥|私钥|令牌|验证码)\s{0,2}(?:[:：=]|是|为)\s{0,2})[\x21-\x7e]{3,}"), rf"\1{MASK}"),
)


def mask(value: Any, key: str = "") -> Any:
    """A copy without what looks like a secret, by its form or by the name it stands under."""
    if isinstance(value, str):
        return MASK if value and _SECRET_KEY.search(key) else mask_text(value)
    if isinstance(value, dict):
        return {mask_text(str(name)): mask(each, str(name)) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [mask(each, key) for each in value]
    return value


def mask_text(text: str) -> str:
    for pattern, replacement in _FORMS:
        text = pattern.sub(replacement, text)
    return text
