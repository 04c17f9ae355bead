"""An agent in plain Python: chat completions and MCP over HTTP, with the standard library alone."""
import json
import os
import sys
import urllib.error
import urllib.request

MODEL_URL = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
MCP_URL = os.environ["TABLEHUNT_MCP_URL"]
MOST_STEPS = 100


def post(url, body):
    request = urllib.request.Request(
        url,
        json.dumps(body).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"],
        },
    )
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)


def mcp(method, params):
    # The server keeps no sessions, so requests need no handshake.
    answer = post(MCP_URL, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


def call_tool(call):
    try:
        arguments = json.loads(call["function"]["arguments"] or "{}")
        result = mcp("tools/call", {"name": call["function"]["name"], "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"])
    except (ValueError, RuntimeError) as error:
        text = f"The call failed: {error}"
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def main():
    with open(os.environ["TABLEHUNT_TASK"]) as file:
        task = json.load(file)
    messages = [
        {"role": "system", "content": task["prompt"]["system"]},
        {"role": "user", "content": sys.stdin.read()},
    ]
    tools = [
        {
            "type": "function",
            "function": {"name": t["name"], "description": t["description"], "parameters": t["inputSchema"]},
        }
        for t in mcp("tools/list", {})["tools"]
    ]
    for _ in range(MOST_STEPS):
        body = {"model": os.environ["TABLEHUNT_MODEL"], "messages": messages, "tools": tools}
        message = post(MODEL_URL, body)["choices"][0]["message"]
        messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            print(message["content"])
            return
        messages.extend(call_tool(call) for call in calls)
    sys.exit(f"no answer after {MOST_STEPS} steps")


try:
    main()
except urllib.error.HTTPError as error:
    # Status 400 with the code budget_exceeded: nothing is left for another model call.
    sys.exit(f"{error.url.rsplit('/', 1)[-1]}: {error.code} {error.read().decode()}")
