"""Run by a cron job of Hermes: asks Herald whether there is anything to say to the person, and wakes the agent only then.

The last line is what Hermes looks at: {"wakeAgent": false} ends the run without a model. Everything above it is what the
agent is told. Standard library only; whatever goes wrong, nobody is woken for nothing.
"""

import json
import sys
import urllib.request
from pathlib import Path

#: Seconds. Hermes ends a script after 120.
TIMEOUT = 110


def main() -> None:
    home = Path(__file__).resolve().parent.parent
    try:
        settings = json.loads((home / "plugins" / "herald" / "herald.json").read_text(encoding="utf-8"))
        request = urllib.request.Request(
            f"{settings['url']}/bridge/wake",
            data=b"{}",
            method="POST",
            headers={"Authorization": f"Bearer {settings['token']}", "Content-Type": "application/json"},
        )
        # Loopback only, and past any proxy: the token leaves this machine for nobody.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=TIMEOUT) as response:
            answer = json.load(response)
        if answer.get("wake") is True and isinstance(answer.get("text"), str):
            print(answer["text"])
            print(json.dumps({"wakeAgent": True}))
            return
    except Exception as error:  # noqa: BLE001
        print(f"herald: {type(error).__name__}", file=sys.stderr)
    print(json.dumps({"wakeAgent": False}))


if __name__ == "__main__":
    main()
