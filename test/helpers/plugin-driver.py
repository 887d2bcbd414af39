"""Hermes' part of the plugin's life: imports the folder named on the command line as Hermes does, gives it a context, and
calls its tools and hooks with the JSON lines that come in, one answer a line: {"tool", "args", "session_id"} → the
handler's own answer; {"hook", "with"} → what the hook returned."""

import importlib.util
import json
import sys
from pathlib import Path


class Hermes:
    def __init__(self) -> None:
        self.tools = {}
        self.sections = {}
        self.hooks = {}

    def register_tool(self, name, toolset, schema, handler, check_fn=None, **_):
        self.tools[name] = (schema, handler, check_fn)

    def register_system_prompt_section(self, id, content, **_):
        self.sections[id] = content

    def register_hook(self, name, callback):
        self.hooks[name] = callback


folder = Path(sys.argv[1])
spec = importlib.util.spec_from_file_location("hermes_plugins.herald", folder / "__init__.py", submodule_search_locations=[str(folder)])
module = importlib.util.module_from_spec(spec)
sys.modules["hermes_plugins.herald"] = module
spec.loader.exec_module(module)
hermes = Hermes()
module.register(hermes)
print(
    json.dumps(
        {
            "tools": {name: [schema["parameters"]["type"], check()] for name, (schema, _, check) in hermes.tools.items()},
            "sections": {id: {on: len(text({"platform": on})) for on in ("feishu", "cli", "cron")} for id, text in hermes.sections.items()},
        }
    ),
    flush=True,
)
for line in sys.stdin:
    call = json.loads(line)
    if "hook" in call:
        print(json.dumps({"returned": hermes.hooks[call["hook"]](**call["with"])}), flush=True)
        continue
    handler = hermes.tools[call["tool"]][1]
    print(handler(call["args"], session_id=call["session_id"], task_id="t1", user_task="ignored"), flush=True)
