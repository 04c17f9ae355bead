"""A deep agent of LangChain, which runs on LangGraph: it plans, keeps files and may start agents of its own."""
import asyncio
import json
import os
import sys

from deepagents import create_deep_agent
from langchain.chat_models import init_chat_model
from langchain_mcp_adapters.client import MultiServerMCPClient

with open(os.environ["TABLEHUNT_TASK"]) as file:
    task = json.load(file)
server = {"transport": "streamable_http", "url": os.environ["TABLEHUNT_MCP_URL"]}
# LANGCHAIN_PROVIDER=anthropic asks the same model by Anthropic's API.
provider = os.environ.get("LANGCHAIN_PROVIDER", "openai")


async def main():
    agent = create_deep_agent(
        model=init_chat_model(os.environ["TABLEHUNT_MODEL"], model_provider=provider),
        tools=await MultiServerMCPClient({"tablehunt": server}).get_tools(),
        system_prompt=task["prompt"]["system"],
    )
    asked = {"messages": [{"role": "user", "content": sys.stdin.read()}]}
    state = await agent.ainvoke(asked, config={"recursion_limit": 400})
    print(state["messages"][-1].text)


asyncio.run(main())
