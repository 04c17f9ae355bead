import { agentNameOf } from '../../../agents/external/agent-definition.ts'
import { defaultAgent } from '../../../agents/online-options.ts'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { documentFiles } from '../../../retrieval/context-documents.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import { benchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { OptionName, RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import { builtInPrices } from '../../models/price-table.ts'
import { ifMissing } from '../../system/files.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../system/hash.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { promptHashes } from '../plan/prompt-sets.ts'
import { type RunIdentity, withoutAddresses } from '../records/same-run.ts'
import { hashTaskInputs, tasksSha256 } from '../records/task-inputs.ts'
import { type EnvironmentOptions, environmentOf } from './environment.ts'
import type { RunResources } from './run-resources.ts'

/** Options that change how a run goes, not what it finds. */
const withoutEffect = [
  'tasks',
  'out',
  // Their hashes count, wherever they are.
  'plugins',
  // Those that are used stand under agentFacts, without paths.
  'agent',
  'agents',
  // Stands under models, without its server's address.
  'model',
  'docs',
  'prompts',
  'prices',
  'concurrency',
  'cache',
  'queue',
  'json',
  'failUnder',
  // Named where a run has any: earlier versions had none.
  'allowHost',
  'browser',
  'chroma',
  'requestTimeout',
  'baseUrl',
  'record',
  'dryRun',
  'retry',
  'resume',
  // A run may go on with more than it began with.
  'runBudgetTokens',
  'runBudgetUsd',
  'runBudgetSearchCalls',
] as const satisfies readonly OptionName[]
const namesWithoutEffect: ReadonlySet<string> = new Set(withoutEffect)

/** The options that results depend on, and those that name files with an effect. */
export type IdentityOptions = Omit<RunConfig, (typeof withoutEffect)[number]> &
  EnvironmentOptions &
  Pick<RunConfig, 'agent' | 'allowHost' | 'prices' | 'tasks'>

/** Null for one that can't be read: the documents say so. */
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
  // A worker has no folder where no document was there to be sent.
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
  'agents' | 'machine' | 'modelFacts' | 'plugins' | 'prompts' | 'scorers' | 'web' | 'webPrices'
>

/** What the results of a run depend on: its options, and what they name by hashes. */
export async function identityOf(
  config: IdentityOptions,
  tasks: readonly Task[],
  resources: IdentifiedResources,
): Promise<RunIdentity> {
  const inputs = await hashTaskInputs(config)
  const options = Object.entries(config).filter(([name]) => !namesWithoutEffect.has(name))
  return {
    ...withoutAddresses(Object.fromEntries(options)),
    ...(config.allowHost.length === 0 ? {} : { allowHost: config.allowHost }),
    ...agentIdentities(config.agent, resources.agents.facts),
    ...pluginIdentities(resources.plugins),
    scorer: namedScorers(config, tasks, resources),
    // The same hits as `auto`, whose runs may go on with either.
    vectorStore: config.vectorStore === 'auto' ? 'chroma' : config.vectorStore,
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
    ...searchPrice(config, resources),
    environment: await environmentOf({ config, tasks, ...(await resources.machine()) }),
  }
}

/** Runs without plug-ins name none, as in earlier versions. */
function pluginIdentities(plugins: RunResources['plugins']): { readonly plugins?: readonly string[] } {
  if (plugins.length === 0) return {}
  return { plugins: plugins.map(({ name, hash }) => `${name}@${hash.slice(0, 12)}`) }
}

/** Runs of our own agent alone name none, as in earlier versions. */
function agentIdentities(
  given: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): { readonly agents?: readonly string[]; readonly agentFacts?: unknown } {
  const names = given.map(agentNameOf)
  if (names.every(name => name === defaultAgent)) return {}
  return { agents: names, agentFacts: facts }
}

/** Null where they are the default, also when the operator names it. */
function namedScorers(
  config: Pick<RunConfig, 'benchmark' | 'judge'>,
  tasks: readonly Task[],
  { scorers }: IdentifiedResources,
): readonly string[] | null {
  const own = chooseScorers({ ...config, ...benchmarkDefaults(config.benchmark) }, tasks)
  return canonicalJson(own) === canonicalJson(scorers) ? null : scorers
}

/** A profile may be a file, which may have changed. */
async function hashOfFaults(profile: string): Promise<string> {
  return sha256(canonicalJson((await loadFaultProfile(profile)).faults))
}

/** Where --prices gives another than ours: budgets in dollars hang on it, as on a model's. */
function searchPrice(
  config: Pick<RunConfig, 'prices' | 'search'>,
  { web, webPrices }: IdentifiedResources,
): { readonly searchUsd?: number } {
  const { searchUsd } = webPrices
  if (config.prices === null || web === null || web.entries !== null || searchUsd === null) return {}
  const builtIn = builtInPrices().searches[web.searched?.service ?? config.search]
  return searchUsd === builtIn ? {} : { searchUsd }
}

/** A model server may move and may be given more time; prices stay, since budgets in dollars hang on them. */
function modelIdentities(
  facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Record<string, unknown> {
  const plain = Object.entries(facts).map(([name, { baseUrl, requestTimeoutMs, ...own }]) => [name, own])
  return Object.fromEntries(plain)
}
