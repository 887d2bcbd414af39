"""Times the plugin's hooks in a loop like Hermes' own. Reads a plan as JSON from the command line, prints JSON.

Plan: {"plugin": folder, "rounds": n, "calls": back to back a round, "paced": calls at a pace a round, "gap": seconds}
"""

import gc
import importlib.util
import json
import sys
import time
import tracemalloc
from pathlib import Path

PLAN = json.loads(sys.argv[1])
WARM = 200


class Context:
    def __init__(self):
        self.hooks = {}

    def register_tool(self, **_):
        pass

    def register_system_prompt_section(self, *_, **__):
        pass

    def register_hook(self, name, callback):
        self.hooks[name] = callback


def invoke(callbacks, kwargs):
    """What Hermes does around a callback: a list, a try, the values that are not None."""
    kwargs.setdefault("telemetry_schema_version", "hermes.observer.v1")
    results = []
    for callback in callbacks:
        try:
            value = callback(**kwargs)
            if value is not None:
                results.append(value)
        except Exception:
            pass
    return results


def noop(**_):
    return None


def load():
    folder = Path(PLAN["plugin"])
    spec = importlib.util.spec_from_file_location("hermes_plugins.herald", folder / "__init__.py", submodule_search_locations=[str(folder)])
    module = importlib.util.module_from_spec(spec)
    sys.modules["hermes_plugins.herald"] = module
    spec.loader.exec_module(module)
    context = Context()
    module.register(context)
    observer = next(each for each in gc.get_objects() if type(each).__name__ == "Observer")
    return context.hooks, observer


def timed(callback, kwargs, count, gap):
    callbacks = [callback]
    clock = time.perf_counter_ns
    took = []
    for _ in range(count):
        if gap:
            time.sleep(gap)
        given = dict(kwargs)
        began = clock()
        invoke(callbacks, given)
        took.append(clock() - began)
    return took


def figures(times):
    times.sort()
    return {"median": times[len(times) // 2] / 1000, "p99": times[len(times) * 99 // 100] / 1000, "max": times[-1] / 1000, "n": len(times)}


def tool_call(size):
    return {
        "tool_name": "terminal", "args": {"command": "rg -n timeout src", "workdir": "/srv/app"}, "result": "x" * size, "task_id": "t",
        "session_id": "20261130_090000_0a1b2c3d", "tool_call_id": "call_1", "turn_id": "20261130_090000_0a1b2c3d:task:0a1b2c3d", "api_request_id": "r",
        "middleware_trace": [], "duration_ms": 12, "status": "ok", "error_type": None, "error_message": None,
    }  # fmt: skip


def turn(count):
    return {
        "session_id": "20261130_090000_0a1b2c3d", "task_id": "t", "turn_id": f"20261130_090000_0a1b2c3d:task:{count}", "conversation_history": [],
        "user_message": "帮我看一下昨天的部署日志，顺便把报价单发给客户A，另外周五之前提醒我给老赵打电话", "is_first_turn": False, "model": "m", "platform": "feishu", "sender_id": "u",
    }  # fmt: skip


hooks, observer = load()
end = {"session_id": "20261130_090000_0a1b2c3d", "task_id": "t", "turn_id": "x:y:z", "completed": True, "interrupted": False, "model": "m", "platform": "feishu"}
variants = {
    "no-op": (noop, tool_call(8_000)),
    "post_tool_call": (hooks["post_tool_call"], tool_call(8_000)),
    "post_tool_call, 1 MB": (hooks["post_tool_call"], tool_call(1_000_000)),
    "on_session_end": (hooks["on_session_end"], end),
    "pre_llm_call": (hooks["pre_llm_call"], turn(1)),
    "pre_tool_call": (hooks["pre_tool_call"], {key: value for key, value in tool_call(0).items() if key in ("tool_name", "args", "task_id", "session_id", "tool_call_id", "turn_id", "api_request_id", "middleware_trace")}),
}  # fmt: skip
if PLAN.get("full"):
    for _ in range(3_000):
        hooks["post_tool_call"](**tool_call(8_000))

out = {}
for name, count, gap in (("back to back", PLAN["calls"], 0), ("at a pace", PLAN["paced"], PLAN["gap"])):
    sums = {variant: [] for variant in variants}
    order = list(variants)
    for round_ in range(PLAN["rounds"] + 1):
        for variant in order[round_ % len(order) :] + order[: round_ % len(order)]:
            callback, kwargs = variants[variant]
            gc.collect()
            gc.disable()
            timed(callback, kwargs, WARM if not gap else 5, 0)
            times = timed(callback, kwargs, count, gap)
            gc.enable()
            # The first round only warms up.
            if round_ > 0:
                sums[variant] += times
    out[name] = {variant: figures(times) for variant, times in sums.items()}

# How many arrive, at a pace, counted by the server: everything up to here is out of the way first.
if PLAN.get("deliver"):
    until = time.monotonic() + 30
    while observer._waiting and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(0.5)
    for number in range(PLAN["deliver"]):
        hooks["post_tool_call"](**{**tool_call(8_000), "tool_name": "counted", "tool_call_id": str(number)})
        time.sleep(0.002)
    time.sleep(1.5)
observer.stop()

# What a full queue holds, of the largest entries there can be.
observer._waiting.clear()
tracemalloc.start()
before = tracemalloc.get_traced_memory()[0]
for number in range(observer._waiting.maxlen + 10):
    hooks["post_tool_call"](**{**tool_call(0), "args": {f"{number} {key}": "字" * 5_000 for key in range(20)}, "result": "字" * 20_000})
out["fullQueueMb"] = (tracemalloc.get_traced_memory()[0] - before) / 1e6
out["hint"] = bool(hooks["pre_llm_call"](**turn(2)))
print(json.dumps(out))
observer._waiting.clear()
