"""The same hook in Python: one JSON object a line in, one out. Nothing but the protocol may go to stdout."""
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:  # an event: nobody waits for an answer
        continue
    if message["method"] == "hook.hello":
        result = {"ok": True}
    else:
        call = message["params"]
        words = call.get("arguments", {}).get("arguments", [])
        if call["tool"] == "exec" and "--force" in words:
            result = {"action": "deny_tool", "reason": "nothing is forced here"}
        else:
            result = {"action": "continue"}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
