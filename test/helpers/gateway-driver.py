"""Hermes' gateway as a process of its own, with the installed plugin in it: `gateway-driver.py FOLDER [new]`. One command a
line comes in, one answer a line goes out: {"do": "send" | "own" | "given" | "stop"}. The first line says that it is up."""

import asyncio
import importlib.util
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hermes-plugin"))
from stand_in_gateway import Context, StandInGateway, install

folder = Path(sys.argv[1])
modules = install(new="new" in sys.argv[2:])
spec = importlib.util.spec_from_file_location("hermes_plugins.herald", folder / "__init__.py", submodule_search_locations=[str(folder)])
module = importlib.util.module_from_spec(spec)
sys.modules["hermes_plugins.herald"] = module
spec.loader.exec_module(module)
ctx = Context()
module.register(ctx)
gateway = StandInGateway(ctx, modules)


def say(answer) -> None:
    print(json.dumps(answer, ensure_ascii=False), flush=True)


async def main() -> None:
    await gateway.start()
    say({"up": True, "tools": list(ctx.tools)})
    while True:
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        command = json.loads(line)
        match command["do"]:
            case "send":
                result = await gateway.adapter.send(command["chat"], command["text"], metadata={"job_id": command.get("job")})
                say({"success": result.success, "error": result.error, "message": result.message_id})
            case "own":
                await gateway.by_itself(command["chat"], command["text"])
                say({})
            case "given":
                say({"given": gateway.given})
            case "stop":
                await gateway.stop()
                say({})
                return


asyncio.run(main())
