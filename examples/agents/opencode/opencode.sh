#!/bin/sh
# opencode. It streams chat completions, and asks the model once more for a title of the session.
set -eu
# Its database and settings belong to this attempt alone.
export HOME="$(mktemp -d)"
export XDG_DATA_HOME="$HOME/data" XDG_CONFIG_HOME="$HOME/config" XDG_STATE_HOME="$HOME/state" XDG_CACHE_HOME="$HOME/cache"
export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
export OPENCODE_DISABLE_DEFAULT_PLUGINS=1
cd "$(mktemp -d)"
node -p 'JSON.parse(fs.readFileSync(process.env.TABLEHUNT_TASK)).prompt.system' > INSTRUCTIONS.md
cat > opencode.json <<JSON
{
  "share": "disabled",
  "autoupdate": false,
  "instructions": ["INSTRUCTIONS.md"],
  "model": "tablehunt/$TABLEHUNT_MODEL",
  "small_model": "tablehunt/$TABLEHUNT_MODEL",
  "enabled_providers": ["tablehunt"],
  "provider": {
    "tablehunt": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "tablehunt",
      "options": { "baseURL": "$OPENAI_BASE_URL", "apiKey": "{env:OPENAI_API_KEY}" },
      "models": { "$TABLEHUNT_MODEL": { "name": "model under test", "limit": { "context": 128000, "output": 16000 } } }
    }
  },
  "mcp": { "tablehunt": { "type": "remote", "url": "$TABLEHUNT_MCP_URL", "oauth": false, "timeout": 120000 } },
  "permission": { "*": "deny", "tablehunt_*": "allow" }
}
JSON
exec opencode run "$(cat)"
