import { isDeepStrictEqual } from 'node:util'
import { agents as knownAgents } from '../../../agents/agent-registry.ts'
import {
  agentDefinitionsSchema,
  isAgentCommand,
  splitCommand,
} from '../../../agents/external/agent-definition.ts'
import { commandLineWithoutSecrets, urlWithoutSecrets } from '../../../logs/redact-command.ts'
import type { RunConfig } from '../../config.ts'
import { RunError } from '../../core/errors.ts'
import { isInnerPath } from '../../core/inner-path.ts'
import { shippedOptions } from '../plan/shipped-options.ts'
import { isShipped, readShippedPath } from './shipment.ts'

/** What the operator of a worker lets campaigns use on this machine. */
export interface WorkerPermissions {
  /**
   * Command lines of agents and of MCP servers, as `command: PROGRAM ARGUMENTS`, images, as `container:IMAGE`, and
   * `isolate:none`, which lets agents run as the operator's user.
   */
  readonly agents: readonly string[]
  /** Addresses to which this machine's keys may be sent, and hosts that are not public. */
  readonly baseUrls: readonly string[]
}

/**
 * Refuses a campaign that would start a program, call an address or read a file that the operator of this worker has not
 * allowed.
 *
 * @param config the options of the campaign, with `shipped://` paths
 * @throws RunError [worker-refuses-agent, worker-refuses-address, worker-refuses-path]
 */
export async function requireAccepted(
  config: Readonly<Record<string, unknown>>,
  permissions: WorkerPermissions,
): Promise<void> {
  await requireShippedPaths(config)
  const options = config as unknown as RunConfig
  requireAllowedPrograms(options, permissions)
  requireAllowedAddresses(options, permissions)
}

/** Options whose texts may look like an address or a path, and are neither called nor opened. */
const harmless: ReadonlySet<string> = new Set([
  ...['agent', 'agents', 'block', 'contact', 'filter', 'mcp', 'requestField', 'userAgent'],
])

async function requireShippedPaths(config: Readonly<Record<string, unknown>>): Promise<void> {
  const refuse = (name: string, path: string): never => {
    throw new RunError(
      `this worker refuses the campaign: its option ${name} names the path '${path}' outside of the campaign's files. Start the run with the same version of Tablehunt.`,
      { code: 'worker-refuses-path' },
    )
  }
  // A worker finds its own browser, and records nothing.
  if (![null, 'off'].includes(config.browser as string | null)) refuse('browser', String(config.browser))
  for (const name of ['record', 'chroma'])
    if ((config[name] ?? null) !== null) refuse(name, String(config[name]))
  for (const [name, value] of Object.entries(config))
    for (const text of listTexts(value)) {
      const path = readShippedPath(text)
      if (path === null ? !harmless.has(name) && /^(?:~|\.{0,2})\//.test(text) : !isInnerPath(path))
        refuse(name, text)
    }
  const requireShipped = (name: string) => async (path: string) =>
    isShipped(path) ? path : refuse(name, path)
  for (const [name, ship] of Object.entries(shippedOptions))
    for (const text of listTexts(config[name])) await ship(text, requireShipped(name), null)
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(listTexts) : []
}

function requireAllowedPrograms(
  { agent, agents, isolate, mcp }: RunConfig,
  { agents: allowed }: WorkerPermissions,
): void {
  const refuse = (flag: string, line: string, hint = ''): never => {
    throw new RunError(
      `this worker refuses the campaign: ${flag} would start '${commandLineWithoutSecrets(line)}' here.${hint} If you trust it, start the worker with --allow-agent and this command.`,
      { code: 'worker-refuses-agent' },
    )
  }
  const commands = allowed.filter(isAgentCommand).map(line => splitCommand(line, '--allow-agent'))
  const isAllowed = (command: readonly string[]): boolean =>
    commands.some(words => isDeepStrictEqual(words, [...command]))
  if (isolate.startsWith('container:') && !allowed.includes(isolate)) refuse('--isolate', isolate)
  const hasProgram = agent.some(value => isAgentCommand(value) || !knownAgents.has(value))
  if (isolate === 'none' && hasProgram && !allowed.includes('isolate:none'))
    throw new RunError(
      'this worker refuses the campaign: --isolate none would let its agents read all files of this user. If you trust them, start the worker with --allow-agent isolate:none, too.',
      { code: 'worker-refuses-agent' },
    )
  const definitions = agentDefinitionsSchema.safeParse(agents)
  for (const value of agent) {
    if (isAgentCommand(value)) {
      if (!isAllowed(splitCommand(value))) refuse('--agent', value)
      continue
    }
    if (knownAgents.has(value)) continue
    // What cannot be read as a definition could start anything.
    const isKnown = definitions.success && Object.hasOwn(definitions.data, value)
    const {
      command,
      env = [],
      cwd,
      reads = [],
    } = isKnown ? definitions.data[value]! : refuse('--agent', value)
    const line = `command: ${command.join(' ')}`
    if (!isAllowed(command)) refuse(`--agent ${value}`, line)
    // Values such as those of LD_PRELOAD and NODE_OPTIONS are programs too, and a folder may contain another script.
    if (!Array.isArray(env) || cwd !== undefined || reads.length > 0)
      refuse(
        `--agent ${value}`,
        line,
        ' Leave cwd and reads out, and list the names of variables in env, without values.',
      )
  }
  for (const server of mcp)
    if (isAgentCommand(server) && !isAllowed(splitCommand(server))) refuse('--mcp', server)
}

/** An address, or that of a server after a name, such as `openai:qwen@http://127.0.0.1:8000/v1`, also in unusual spellings. */
const addressAtEnd = /(?:^|@)\s*(https?:.+|[a-z][\w+.-]*:\/\/.+)$/is

function requireAllowedAddresses(config: RunConfig, { baseUrls }: WorkerPermissions): void {
  const allowed = baseUrls.map(url => new URL(url))
  for (const [name, value] of Object.entries(config)) {
    if (harmless.has(name) && name !== 'mcp') continue
    for (const text of listTexts(value)) {
      const address = isShipped(text) ? undefined : name === 'baseUrl' ? text : addressAtEnd.exec(text)?.[1]
      if (address !== undefined && !allowed.some(url => isBelow(address, url)))
        throw makeRefusedAddressError(urlWithoutSecrets(address))
    }
  }
  for (const host of [...config.allowHost, ...config.agentModelHost])
    if (!allowed.some(url => host === url.hostname || host === url.host)) throw makeRefusedAddressError(host)
}

function isBelow(address: string, { origin, pathname }: URL): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const folder = pathname.replace(/\/*$/, '/')
  return url.origin === origin && `${url.pathname}/`.startsWith(folder)
}

function makeRefusedAddressError(address: string): RunError {
  return new RunError(
    `this worker refuses the campaign: it would call ${address}, and could send the keys of this machine there. If you trust it, start the worker with --allow-base-url and this address.`,
    { code: 'worker-refuses-address' },
  )
}
