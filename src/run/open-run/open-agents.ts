import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { agents as knownAgents } from '../../../agents/agent-registry.ts'
import {
  type AgentDefinition,
  agentDefinitionSchema,
  isAgentCommand,
  nameAgents,
  splitCommand,
} from '../../../agents/external/agent-definition.ts'
import { behindGateway } from '../../../agents/external/behind-gateway.ts'
import type { AgentCommand } from '../../../agents/external/command-agent.ts'
import {
  type AgentIsolation,
  isolateAgent,
  openIsolation,
} from '../../../agents/external/isolation/isolation.ts'
import { isKeyFile } from '../../../agents/external/isolation/visible-files.ts'
import { defaultAgent } from '../../../agents/online-options.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { Agent } from '../../../agents/setting.ts'
import { commandLineWithoutSecrets, commandWithoutSecrets } from '../../../logs/redact-command.ts'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import type { Task } from '../../core/task.ts'
import { findProgram } from '../../system/find-program.ts'
import { sha256OfFile } from '../../system/hash.ts'
import { isWithin, packageRoot } from '../../system/paths.ts'

/** The agents of a run. */
export interface OpenAgents {
  /** By the value of `--agent`. */
  get(value: string): Agent
  /** The name in records and reports, by the value of `--agent`. */
  nameOf(value: string): string
  /** What identifies each external agent, for the manifest: its command, and the hashes of the files that it names. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** How outside agents are isolated, and what they do not see, one line each. Empty without such agents. */
  readonly notices: readonly string[]
}

/**
 * Finds the agents that a run names.
 *
 * @param tell receives problems during the run
 * @throws ConfigError `unknown-agent`, `agent-name-taken`, `agent-command`, `agent-program-not-found`, `agent-option`,
 * `isolation-not-available`, `agent-folder-too-wide`, `agent-reads`
 */
export async function openAgents(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
  tell: (line: string) => void = () => undefined,
): Promise<OpenAgents> {
  const opened = new Map<string, Agent>()
  const facts: Record<string, Readonly<Record<string, unknown>>> = {}
  if (!config.setting.some(answersFromWeb))
    return { get: value => knownAgents.get(value), nameOf: value => value, facts, notices: [] }
  const names = makeNamesDistinct(config)
  requireProxyUsed(config)
  const definitions = [...names].map(([value, name]) => ({
    value,
    name,
    definition: findDefinition(value, config),
  }))
  const hasPrograms = definitions.some(({ definition }) => definition !== null)
  const isolation = hasPrograms ? await openIsolation(config.isolate) : null
  const notices = isolation === null ? [] : [isolation.notice]
  for (const { value, name, definition } of definitions) {
    if (value !== defaultAgent) requireOwnOptionsUnused(name, config, tasks)
    if (definition === null) {
      opened.set(value, knownAgents.get(value))
      if (value !== defaultAgent)
        notices.push(
          `isolation: none for the agent ${name}: it is a plug-in, which runs inside Tablehunt and can read everything`,
        )
      continue
    }
    if (isolation?.mode !== 'container') requireProgram(name, definition, env)
    const { command, cwd = null, reads } = definition
    const agentIsolation = await isolateAgent(isolation!, {
      name,
      command,
      cwd,
      reads,
      path: env.PATH ?? '',
      privatePaths: listPrivatePaths(config),
    })
    notices.push(...(agentIsolation?.files.notices ?? []))
    opened.set(value, makeProgramAgent(definition, env, agentIsolation, tell))
    facts[name] = await identifyAgent(definition)
  }
  return { get: value => opened.get(value)!, nameOf: value => names.get(value) ?? value, facts, notices }
}

/** The program that a value of `--agent` starts; null: an agent of the registry. */
function findDefinition(value: string, { agents }: RunConfig): AgentDefinition | null {
  if (isAgentCommand(value)) return agentDefinitionSchema.parse({ command: splitCommand(value) })
  const entry = agents[value]
  if (entry !== undefined) return entry
  if (knownAgents.has(value)) return null
  const names = [...knownAgents.names(), ...Object.keys(agents)]
  throw new ConfigError(
    `--agent: no agent is called ${describeUnknownName(value, names)}. A program of your own is 'command: PROGRAM ARGUMENTS', or an entry of agents in the config file.`,
    { code: 'unknown-agent' },
  )
}

/** Returns the name of each agent by the value of `--agent`. */
function makeNamesDistinct({ agent: values, agents }: RunConfig): ReadonlyMap<string, string> {
  const takenName = Object.keys(agents).find(name => knownAgents.has(name))
  if (takenName !== undefined)
    throw new ConfigError(
      `agents.${takenName}: ${knownAgents.originOf(takenName) === null ? 'the agent of Tablehunt' : 'an agent of a plug-in'} has this name. Rename the entry in the config file.`,
      { code: 'agent-name-taken' },
    )
  const names = nameAgents(values)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice === -1) return new Map(values.map((value, at) => [value, names[at]!]))
  const again = values[twice]!
  if (values.indexOf(again) !== twice)
    throw new ConfigError(
      `--agent '${commandLineWithoutSecrets(again)}': it is given twice. Leave one out, or repeat its attempts with --trials 2.`,
      { code: 'agent-name-taken' },
    )
  const command = commandWithoutSecrets(
    isAgentCommand(again) ? splitCommand(again) : (agents[again]?.command ?? []),
  )
  const entry = { agents: { [`${names[twice]}-2`]: { command } } }
  throw new ConfigError(
    `--agent '${commandLineWithoutSecrets(again)}': two agents are called '${names[twice]}'. Name this one in tablehunt.config.json, as in ${JSON.stringify(entry)}, and write --agent ${names[twice]}-2.`,
    { code: 'agent-name-taken' },
  )
}

function requireProxyUsed({ agent, agentModelHost, agentProxy }: RunConfig): void {
  if (agentModelHost.length > 0 && !agentProxy)
    throw new ConfigError('--agent-model-host: it allows hosts in the proxy. Add --agent-proxy.', {
      code: 'agent-option',
    })
  if (!agentProxy || agent.some(value => value !== defaultAgent)) return
  throw new ConfigError(
    `--agent-proxy: the agent ${defaultAgent} sends all requests by its tools. Name an agent of your own with --agent, or leave the option out.`,
    { code: 'agent-option' },
  )
}

/** Refuses what an agent from outside cannot do, before anything is spent. */
function requireOwnOptionsUnused(name: string, config: RunConfig, tasks: readonly Task[]): void {
  const refuse = (what: string, fix: string): never => {
    throw new ConfigError(`--agent ${name}: ${what} needs the agent tablehunt. ${fix}`, {
      code: 'agent-option',
    })
  }
  if (config.checkpointTokens.length > 0) refuse('checkpointTokens', 'Leave the option out.')
  if (config.controls.includes('oracle-inject')) refuse('--controls oracle-inject', 'Leave the control out.')
  const conversation = tasks.find(({ question }) => question.turns !== undefined)
  if (conversation !== undefined)
    refuse(
      `the conversation of task ${conversation.question.taskId}`,
      'Leave such tasks out with --filter, or run them with tablehunt alone.',
    )
}

function requireProgram(name: string, { command, cwd }: AgentDefinition, env: NodeJS.ProcessEnv): void {
  if (cwd !== undefined && !existsSync(cwd))
    throw new ConfigError(`--agent ${name}: the folder ${cwd} does not exist. Correct cwd.`, {
      code: 'agent-program-not-found',
    })
  const [program] = command
  if (findProgram(program!, { path: env.PATH ?? '', cwd: cwd ?? null }) !== null) return
  throw new ConfigError(
    `--agent ${name}: the program '${program}' is not on this machine. Install it, or correct the command.`,
    { code: 'agent-program-not-found' },
  )
}

/** The places of tasks, answers, documents, keys and records. */
function listPrivatePaths({ tasks, docs, out, cache, record, web, forks, queueSecret }: RunConfig): string[] {
  const runs = dirname(resolve(out))
  // Other runs are usually beside this one, and their reports contain answers.
  const holdsOnlyRuns = !isWithin(process.cwd(), runs)
  const secret = queueSecret?.startsWith('file:') === true ? queueSecret.slice('file:'.length) : null
  const named = [tasks, out, docs, cache, record, forks, secret, web.replace(/^\w+:/, '')]
  const keys = readdirSync('.').filter(isKeyFile)
  return [
    ...[...named, holdsOnlyRuns ? runs : null].flatMap(path => (path === null ? [] : [resolve(path)])),
    ...keys.map(name => resolve(name)),
    join(packageRoot, 'tasks'),
  ]
}

function makeProgramAgent(
  definition: AgentDefinition,
  env: NodeJS.ProcessEnv,
  isolation: AgentIsolation | null,
  tell: (line: string) => void,
): Agent {
  const { command, cwd, answer, timeout, memoryMb, cpuSeconds, lastCallNote } = definition
  const program: AgentCommand = {
    // A relative script is looked up where the run was started, wherever the attempt works.
    command: cwd === undefined ? command.map(resolveFile) : command,
    cwd: cwd === undefined ? null : resolve(cwd),
    env: selectVariables(definition, env),
    answer: answer === 'stdout' ? { from: 'stdout' } : { from: 'file', name: answer },
    timeoutMs: timeout ?? null,
    memoryMb,
    cpuSeconds,
    isolation,
    tell,
  }
  return behindGateway({
    isolation: isolation?.mode ?? 'none',
    summary: commandWithoutSecrets(command).join(' '),
    lastCallNote,
    run: async job =>
      await (await import('../../../agents/external/command-agent.ts')).commandAgent(program).run(job),
  })
}

function resolveFile(word: string, index: number): string {
  const isFile = (index > 0 || word.includes('/')) && !isAbsolute(word) && existsSync(word)
  return isFile ? resolve(word) : word
}

function selectVariables(
  { env: named = [] }: AgentDefinition,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  if (!Array.isArray(named)) return named
  return Object.fromEntries(
    named.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  )
}

/** Paths do not count: the same files in another folder are the same agent. */
async function identifyAgent({
  command,
  cwd,
  env = [],
  reads: _places,
  ...rest
}: AgentDefinition): Promise<Readonly<Record<string, unknown>>> {
  const files: Record<string, string> = {}
  for (const [index, word] of command.entries()) {
    const path = resolve(cwd ?? '.', word)
    // A program that is found on PATH may be another build on another machine.
    const isOwn = index === 0 ? /[\\/]/.test(word) && !isAbsolute(word) : !word.startsWith('-')
    // A folder has no hash, because its files may be many.
    if (isOwn && existsSync(path)) files[basename(word)] = await sha256OfFile(path).catch(() => 'not a file')
  }
  const words = commandWithoutSecrets(command).map(word => (word.includes('/') ? basename(word) : word))
  const variables = Array.isArray(env) ? env : Object.keys(env)
  return { command: words, env: variables, files, ...rest }
}
