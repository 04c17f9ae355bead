#!/bin/sh
# gemini-cli. It streams the Gemini API.
set -eu
export HOME="$(mktemp -d)" GEMINI_CLI_TRUST_WORKSPACE=true
cd "$(mktemp -d)"
mkdir .gemini
node -p 'JSON.parse(fs.readFileSync(process.env.TABLEHUNT_TASK)).prompt.system' > .gemini/system.md
# Replaces its own system prompt, which is about software.
export GEMINI_SYSTEM_MD="$PWD/.gemini/system.md"
cat > .gemini/settings.json <<JSON
{
  "mcpServers": { "tablehunt": { "httpUrl": "$TABLEHUNT_MCP_URL", "trust": true, "timeout": 120000 } },
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "tools": { "exclude": ["google_web_search", "web_fetch", "run_shell_command"] }
}
JSON
exec gemini --model "$TABLEHUNT_MODEL" --approval-mode yolo --skip-trust --prompt "$(cat)"
