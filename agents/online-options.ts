import { commandLineWithoutSecrets, urlWithoutSecrets } from '../logs/redact-command.ts'
import { ConfigError } from '../src/core/errors.ts'
import { armPerElement, defineOption, oneArm } from '../src/core/option-spec.ts'
import {
  entriesOf,
  isoDate,
  listOf,
  oneOf,
  optional,
  text,
  textsOrNone,
  toggle,
  valuesOf,
} from '../src/core/option-values.ts'
import { withoutAddress } from '../src/models/spec.ts'
import { type McpCharge, mcpCharges } from '../tools/mcp/mcp-charge.ts'
import type { McpServerAddress } from '../tools/mcp/mcp-servers.ts'
import { optionalTools, tools } from '../tools/registry.ts'
import { searchServices } from '../tools/search/registry.ts'
import { agents } from './agent-registry.ts'
import {
  contextPolicyForms,
  describedContextPolicyForms,
  readContextPolicy,
} from './context-policies/registry.ts'
import { isAgentCommand, nameAgents, splitCommand } from './external/agent-definition.ts'
import { defaultNoProgressTurns } from './progress.ts'

const option = defineOption('The online setting', { separates: ['online'] })

/** The values of `--keep-reasoning`. */
const keepReasoningValues = ['auto', 'on', 'off'] as const

/** The agent of a run that names none. */
export const defaultAgent = 'tablehunt'

/** The search service of a run that names none. */
const defaultSearch = 'serper'

/** Reads a value of --no-progress; null when it is not valid. */
function readNoProgress(text: string): number | 'off' | null {
  if (text === 'off') return text
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}

/** True for Tablehunt's own agent. External agents have their own loop. */
const isOwnAgent = ({ agent }: Readonly<Record<string, unknown>>): boolean => agent === defaultAgent

/** Options of the online setting. */
export const onlineOptions = {
  agent: option(
    'NAME',
    textsOrNone.transform(agents => (agents.length === 0 ? [defaultAgent] : agents)),
    `who searches: ${agents.names().join(', ')} (the default), a name from the config file, or 'command: PROGRAM ARGUMENTS'; may be given several times, and each is an arm (docs/agents.md)`,
    {
      recordedBy: 'contents',
      flag: 'common',
      repeats: true,
      arms: agents => {
        const names = nameAgents(agents)
        return agents.map((value, at) => ({ value, shown: value === defaultAgent ? null : names[at]! }))
      },
    },
  ),
  keepReasoning: option(
    'LIST',
    listOf(keepReasoningValues).default(['auto']),
    "send the model's reasoning back to it: auto (as its maker advises), on, off; each value is an arm",
    { arms: armPerElement<(typeof keepReasoningValues)[number]>('auto'), appliesTo: isOwnAgent },
  ),
  search: option(
    'LIST',
    entriesOf(searchServices).default([defaultSearch]),
    `the search service: ${searchServices.names().join(', ')}; each value is an arm`,
    {
      commands: ['tools call', 'tools serve'],
      // A single service makes no option, whichever it is: the manifest names it.
      arms: value =>
        value.length === 1 ? [{ value: value[0], shown: null }] : armPerElement(defaultSearch)(value),
    },
  ),
  goalReading: option(
    null,
    toggle,
    'let a model read pages for a goal and return quotes instead of the text (docs/online-options.md)',
    { arms: oneArm(false) },
  ),
  readerModel: option(
    'NAME',
    optional(text),
    'with --goal-reading: the model that reads pages (default: the model under test)',
    {
      recordedBy: 'contents',
      arms: given => [{ value: given, shown: given === null ? null : nameReader(given) }],
    },
  ),
  tools: option(
    'NAME,…',
    optional(entriesOf(tools)),
    `the tools of the agent: ${tools.names().join(', ')}, and those of plug-ins (default: all but ${optionalTools().join(' and ')})`,
    { commands: ['tools serve'], arms: value => [{ value, shown: value?.join('+') ?? null }] },
  ),
  mcp: option(
    'SERVER',
    textsOrNone,
    "add the tools of an MCP server: 'command: PROGRAM ARGUMENTS' or a URL; may be given several times (docs/online-options.md)",
    { recordedBy: 'contents', repeats: true, arms: given => [{ value: given, shown: mcpNames(given) }] },
  ),
  mcpCharge: option(
    'KIND',
    oneOf(mcpCharges).default('fetch'),
    'how each call of an --mcp tool is charged: fetch, search, none',
    { flag: 'none', arms: oneArm<McpCharge>('fetch') },
  ),
  contextPolicy: option(
    'POLICY',
    valuesOf(describedContextPolicyForms, value => readContextPolicy(value)?.name ?? null).default([
      'shorten',
    ]),
    `what happens when the conversation outgrows the context window: ${contextPolicyForms.join(', ')}; each value is an arm (docs/online-options.md)`,
    { separates: [], repeats: true, arms: armPerElement('shorten'), appliesTo: isOwnAgent },
  ),
  noProgress: option(
    'N|off',
    valuesOf(['a number of turns from 1', 'off'], readNoProgress).default([defaultNoProgressTurns]),
    'warn the agent after N turns without a new query, address or text, and end the attempt if it continues so; off: never; each value is an arm',
    {
      separates: [],
      repeats: true,
      arms: armPerElement<number | 'off'>(defaultNoProgressTurns),
      appliesTo: isOwnAgent,
    },
  ),
  date: option(
    'YYYY-MM-DD',
    optional(isoDate),
    "the date in the agent's prompt (default: the first day of the run, or of the recording that it replays)",
    { separates: [] },
  ),
} as const

/** Returns the name of a reader in records, which contain no addresses and no paths. */
function nameReader(address: string): string {
  return withoutAddress(address).replace(/^(scripted:).*[\\/]/, '$1')
}

/** Returns the names of servers, as records contain them; null for none. */
function mcpNames(servers: readonly string[]): string | null {
  return servers.length === 0 ? null : servers.map(server => readMcpServer(server).name).join('+')
}

/**
 * Reads a value of `--mcp`.
 *
 * @throws ConfigError `agent-command` for an empty command or an open quote, `invalid-mcp-server` for a text of another form
 */
export function readMcpServer(server: string): McpServerAddress {
  if (isAgentCommand(server)) {
    const command = splitCommand(server, '--mcp')
    return { name: nameAgents([server])[0]!, command }
  }
  if (/^https?:\/\//i.test(server) && URL.canParse(server))
    return { name: new URL(server).hostname, url: server }
  const shown = server.includes('://') ? urlWithoutSecrets(server) : commandLineWithoutSecrets(server)
  throw new ConfigError(
    `--mcp '${shown}': this is neither a command nor a URL. Write 'command: PROGRAM ARGUMENTS' or an http(s) URL.`,
    { code: 'invalid-mcp-server' },
  )
}
