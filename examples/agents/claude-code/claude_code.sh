#!/bin/sh
# Claude Code in print mode, with the tools of the gateway by MCP. It streams Anthropic's Messages API. Untested.
set -eu
export HOME="$(mktemp -d)" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
export ANTHROPIC_MODEL="$TABLEHUNT_MODEL" ANTHROPIC_SMALL_FAST_MODEL="$TABLEHUNT_MODEL"
cd "$(mktemp -d)"
cat > mcp.json <<JSON
{ "mcpServers": { "tablehunt": { "type": "http", "url": "$TABLEHUNT_MCP_URL" } } }
JSON
system=$(node -p 'JSON.parse(fs.readFileSync(process.env.TABLEHUNT_TASK)).prompt.system')
# Its own tools would read the web past the gateway.
exec claude --print --output-format text --mcp-config mcp.json --strict-mcp-config \
  --append-system-prompt "$system" --allowedTools mcp__tablehunt \
  --disallowedTools WebSearch,WebFetch,Bash,Read,Write,Edit
