"""An agent of Pydantic AI. PYDANTIC_AI_PROVIDER chooses how it asks the model: openai-chat (the default),
openai-responses or anthropic."""
import asyncio
import json
import os
import sys

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.usage import UsageLimits

with open(os.environ["TABLEHUNT_TASK"]) as file:
    task = json.load(file)
provider = os.environ.get("PYDANTIC_AI_PROVIDER", "openai-chat")
# The providers read the base URL and the key from the environment.
agent = Agent(
    f"{provider}:{os.environ['TABLEHUNT_MODEL']}",
    instructions=task["prompt"]["system"],
    toolsets=[MCPToolset(os.environ["TABLEHUNT_MCP_URL"])],
)


async def main():
    async with agent:
        # The default limit is 50 model requests.
        result = await agent.run(sys.stdin.read(), usage_limits=UsageLimits(request_limit=200))
    print(result.output)


asyncio.run(main())
