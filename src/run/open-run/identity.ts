import { nameAgents } from '../../../agents/external/agent-definition.ts'
import { defaultAgent } from '../../../agents/online-options.ts'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { documentFiles } from '../../../retrieval/context-documents.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import type { OptionName, RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import { builtInPrices } from '../../models/known-models.ts'
import { readJudgePrompts } from '../../score/judge/published-prompts.ts'
import { ifMissing } from '../../system/files.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../system/hash.ts'
import { promptHashes } from '../plan/prompt-sets.ts'
import { type RunIdentity, withoutAddresses } from '../records/same-run.ts'
import { hashTaskInputs, tasksSha256 } from '../records/task-inputs.ts'
import { environmentOf } from './environment.ts'
import type { RunResources } from './open-resources.ts'

/** Options that do not change results. */
const withoutEffect = [
  'tasks',
  'out',
  // Their hashes are compared instead.
  'plugins',
  // Named in `agents` and `agentFacts`, without paths.
  'agent',
  'agents',
  // In `models`, without the server's address.
  'model',
  'docs',
  'prompts',
  'judgePrompts',
  'prices',
  'concurrency',
  'hostInterval',
  'cache',
  'queue',
  'json',
  'failUnder',
  // Added below when there are any.
  'agentModelHost',
  'agentProxy',
  'allowHost',
  // Added below when they are given.
  'contact',
  'userAgent',
  'goalReading',
  'mcp',
  'mcpCharge',
  'readerModel',
  'tools',
  'browser',
  'chroma',
  'requestTimeout',
  'baseUrl',
  'record',
  'dryRun',
  'retry',
  'resume',
  // A run may be resumed with larger budgets.
  'runBudgetTokens',
  'runBudgetUsd',
  'runBudgetSearchCalls',
] as const satisfies readonly OptionName[]
const namesWithoutEffect: ReadonlySet<string> = new Set(withoutEffect)

/** The options that results depend on, and those that name files which results depend on. */
export type IdentityOptions = Omit<RunConfig, (typeof withoutEffect)[number]> &
  RunConfig &
  Pick<
    RunConfig,
    | 'agent'
    | 'agentModelHost'
    | 'agentProxy'
    | 'allowHost'
    | 'contact'
    | 'goalReading'
    | 'judgePrompts'
    | 'mcpCharge'
    | 'prices'
    | 'readerModel'
    | 'tasks'
    | 'tools'
    | 'userAgent'
  >

/** Returns null for an unreadable file, which is reported with the documents. */
async function hashOfFile(path: string): Promise<string | null> {
  try {
    return await sha256OfFile(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return null
    throw error
  }
}

async function hashOfDocuments(tasks: readonly Task[], docs: string | null): Promise<string | null> {
  if (docs === null) return null
  const names = [...new Set(tasks.flatMap(task => task.documents.map(document => document.name)))].sort()
  // A worker has no folder when there were no documents to send.
  const fileOf = await documentFiles(docs).catch(ifMissing)
  const hashes: [string, string | null][] = []
  for (const name of names) {
    const path = fileOf?.(name) ?? null
    hashes.push([name, path === null ? null : await hashOfFile(path)])
  }
  return sha256(canonicalJson(hashes))
}

/** The resources that results depend on. */
export type IdentifiedResources = Pick<
  RunResources,
  | 'agents'
  | 'machine'
  | 'mcpFacts'
  | 'modelFacts'
  | 'plugins'
  | 'prompts'
  | 'readerName'
  | 'scorers'
  | 'web'
  | 'webPrices'
>

/** Returns what the results of a run depend on: its options, and the hashes of the files that they name. */
export async function identityOf(
  config: IdentityOptions,
  tasks: readonly Task[],
  resources: IdentifiedResources,
): Promise<RunIdentity> {
  const inputs = await hashTaskInputs(config)
  const options = Object.entries(config).filter(([name]) => !namesWithoutEffect.has(name))
  return {
    ...withoutAddresses(Object.fromEntries(options)),
    search: config.search.length === 1 ? config.search[0] : config.search,
    ...(config.allowHost.length === 0 ? {} : { allowHost: config.allowHost }),
    ...(config.userAgent === null ? {} : { userAgent: config.userAgent }),
    ...(config.contact === null ? {} : { contact: config.contact }),
    ...(config.goalReading ? { goalReading: true, readerModel: resources.readerName } : {}),
    ...(resources.mcpFacts === null ? {} : { mcp: resources.mcpFacts, mcpCharge: config.mcpCharge }),
    ...(config.tools === null ? {} : { tools: config.tools }),
    ...(config.agentProxy ? { agentProxy: true, agentModelHost: config.agentModelHost } : {}),
    ...agentIdentities(config.agent, resources.agents.facts),
    ...pluginIdentities(resources.plugins),
    scorer: resources.scorers,
    models: modelIdentities(resources.modelFacts()),
    inputs,
    tasksSha256: tasksSha256(config.tasks, inputs),
    documentsSha256: await hashOfDocuments(tasks, config.docs),
    prompts: promptsVersion,
    promptsSha256: promptHashes(
      resources.prompts,
      tasks.map(({ question }) => question),
      config.setting,
    ),
    webSha256: resources.web?.hash ?? null,
    ...(config.faults === null ? {} : { faultsSha256: await hashOfFaults(config.faults) }),
    ...(config.judgePrompts === null
      ? {}
      : { judgePromptsSha256: (await readJudgePrompts(config.judgePrompts)).hash }),
    ...searchPrice(config, resources),
    environment: await environmentOf({ config, tasks, ...(await resources.machine()) }),
  }
}

/** A run without plug-ins has no field. */
function pluginIdentities(plugins: RunResources['plugins']): { readonly plugins?: readonly string[] } {
  if (plugins.length === 0) return {}
  return { plugins: plugins.map(({ name, hash }) => `${name}@${hash.slice(0, 12)}`) }
}

/** Runs of our own agent alone name none. */
function agentIdentities(
  given: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): { readonly agents?: readonly string[]; readonly agentFacts?: unknown } {
  const names = nameAgents(given)
  if (names.every(name => name === defaultAgent)) return {}
  return { agents: names, agentFacts: facts }
}

/** Hashes a fault profile, which may be a file that has changed. */
async function hashOfFaults(profile: string): Promise<string> {
  return sha256(canonicalJson((await loadFaultProfile(profile)).faults))
}

/** Returns the price of a search when it differs from the built-in one: budgets in US dollars depend on it. */
function searchPrice(
  config: Pick<RunConfig, 'prices' | 'search'>,
  { web, webPrices }: IdentifiedResources,
): { readonly searchUsd?: number } {
  const { searchUsd } = webPrices
  if (config.prices === null || web === null || web.entries !== null || searchUsd === null) return {}
  const builtIn = builtInPrices().searches[web.searched?.service ?? config.search[0]!]
  return searchUsd === builtIn ? {} : { searchUsd }
}

/** Returns the facts about models, without address and timeout, which may change. Prices stay: budgets in US dollars depend on them. */
function modelIdentities(
  facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Record<string, unknown> {
  const plain = Object.entries(facts).map(([name, { baseUrl, requestTimeoutMs, ...own }]) => [name, own])
  return Object.fromEntries(plain)
}
