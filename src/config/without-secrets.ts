import { isAgentCommand } from '../../agents/external/agent-definition.ts'
import {
  commandLineWithoutSecrets,
  commandWithoutSecrets,
  urlWithoutSecrets,
} from '../../logs/redact-command.ts'
import { formatFlag } from '../core/option-spec.ts'
import { looksLikeKey, redacted } from '../system/secret-values.ts'
import { isObject } from '../text/json.ts'

/** How the options that contain commands and addresses are written without secrets. */
const rules: Readonly<Record<string, (value: unknown) => unknown>> = {
  agent: mapTexts,
  mcp: mapTexts,
  agents: value =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, agent]) => [name, cleanAgent(agent)]))
      : value,
}

/**
 * Returns options as files and messages may contain them: commands without keys, addresses of MCP servers without
 * user and values, and variables of agents without their values.
 */
export function cleanOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, rules[name]?.(value) ?? value]),
  )
}

/** Returns the words of a command line of Tablehunt without the secrets in its options. */
export function cleanOwnCommand(words: readonly string[]): string[] {
  return words.map((word, index) => {
    for (const name of ['agent', 'mcp']) {
      const flag = formatFlag(name)
      if (words[index - 1] === flag) return cleanText(word)
      if (word.startsWith(`${flag}=`)) return `${flag}=${cleanText(word.slice(flag.length + 1))}`
    }
    return word
  })
}

/** The names of options whose values contain something that looks like a key, for a place that must not store any. */
export function listSecretNames(options: Readonly<Record<string, unknown>>): string[] {
  const shown = cleanOptions({ ...options, agents: withPlainVariables(options.agents) })
  return Object.keys(options).filter(name => JSON.stringify(shown[name] ?? null).includes(redacted))
}

function mapTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map(entry => cleanText(String(entry))) : value
}

function cleanText(input: string): string {
  if (isAgentCommand(input)) return commandLineWithoutSecrets(input)
  return input.includes('://') ? urlWithoutSecrets(input) : input
}

function cleanAgent(agent: unknown): unknown {
  if (!isObject(agent)) return agent
  const { command, env } = agent
  return {
    ...agent,
    ...(Array.isArray(command) && { command: commandWithoutSecrets(command.map(String)) }),
    ...(isObject(env) && { env: Object.fromEntries(Object.keys(env).map(name => [name, redacted])) }),
  }
}

/** Removes variables whose values are not secrets. */
function withPlainVariables(agents: unknown): unknown {
  if (!isObject(agents)) return agents
  const secretName = /key|token|secret|passw|credential/i
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => {
      if (!isObject(agent) || !isObject(agent.env)) return [name, agent]
      const secret = Object.entries(agent.env).filter(
        ([variable, value]) =>
          secretName.test(variable) ||
          looksLikeKey(String(value)) ||
          commandWithoutSecrets([String(value)])[0] !== value,
      )
      return [name, { ...agent, env: secret.length === 0 ? [] : Object.fromEntries(secret) }]
    }),
  )
}
