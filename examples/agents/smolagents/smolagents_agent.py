"""An agent of smolagents: a ToolCallingAgent, or a CodeAgent with --code."""
import json
import os
import sys

from smolagents import CodeAgent, MCPClient, OpenAIModel, ToolCallingAgent

with open(os.environ["TABLEHUNT_TASK"]) as file:
    task = json.load(file)
model = OpenAIModel(
    model_id=os.environ["TABLEHUNT_MODEL"],
    api_base=os.environ["OPENAI_BASE_URL"],
    api_key=os.environ["OPENAI_API_KEY"],
)
Kind = CodeAgent if "--code" in sys.argv else ToolCallingAgent
server = {"url": os.environ["TABLEHUNT_MCP_URL"], "transport": "streamable-http"}
# Structured output would need tools that describe their output.
with MCPClient(server, structured_output=False) as tools:
    agent = Kind(
        tools=tools,
        model=model,
        instructions=task["prompt"]["system"],
        max_steps=60,
        verbosity_level=0,  # Otherwise the steps are printed on standard output.
    )
    result = agent.run(sys.stdin.read(), return_full_result=True)
print(result.output)
# An agent without steps left still returns an answer, which its last model call wrote.
if result.state != "success":
    print(f"smolagents ended with {result.state}", file=sys.stderr)
