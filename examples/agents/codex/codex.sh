#!/bin/sh
# Codex CLI. It streams the Responses API; only its last message reaches standard output.
set -eu
export CODEX_HOME="$(mktemp -d)"
instructions=$(node -p 'JSON.stringify(JSON.parse(fs.readFileSync(process.env.TABLEHUNT_TASK)).prompt.system)')
cat > "$CODEX_HOME/config.toml" <<TOML
model = "$TABLEHUNT_MODEL"
model_provider = "tablehunt"
developer_instructions = $instructions
approval_policy = "never"
sandbox_mode = "read-only"
web_search = "disabled"
project_doc_max_bytes = 0
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false

[model_providers.tablehunt]
name = "tablehunt"
base_url = "$OPENAI_BASE_URL"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2

[mcp_servers.tablehunt]
url = "$TABLEHUNT_MCP_URL"
required = true
tool_timeout_sec = 120
default_tools_approval_mode = "approve"
TOML
cd "$(mktemp -d)"
exec codex exec --skip-git-repo-check -
