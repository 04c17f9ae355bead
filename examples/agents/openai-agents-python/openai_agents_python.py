"""An agent of the OpenAI Agents SDK. It asks the model by the Responses API, or by chat completions with --chat."""
import asyncio
import json
import os
import sys

from agents import Agent, OpenAIProvider, RunConfig, Runner, set_default_openai_api, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp

set_tracing_disabled(True)  # Otherwise traces are sent to api.openai.com.
if "--chat" in sys.argv:
    set_default_openai_api("chat_completions")
with open(os.environ["TABLEHUNT_TASK"]) as file:
    task = json.load(file)


async def main():
    async with MCPServerStreamableHttp(
        name="tablehunt",
        params={"url": os.environ["TABLEHUNT_MCP_URL"], "timeout": 120},
        client_session_timeout_seconds=120,  # The default of 5 seconds is too short for large documents.
        cache_tools_list=True,
    ) as server:
        agent = Agent(
            name="researcher",
            instructions=task["prompt"]["system"],
            model=os.environ["TABLEHUNT_MODEL"],
            mcp_servers=[server],
        )
        # The default provider refuses model names with a slash. The default of max_turns is 10.
        config = RunConfig(model_provider=OpenAIProvider())
        result = await Runner.run(agent, sys.stdin.read(), max_turns=100, run_config=config)
    print(result.final_output)


asyncio.run(main())
