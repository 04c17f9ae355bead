import { nameAgents } from '../../../agents/external/agent-definition.ts'
import { defaultAgent } from '../../../agents/online-options.ts'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { createDocumentFinder } from '../../../retrieval/context-documents.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import { everyOption, type RunConfig } from '../../config.ts'
import type { Task } from '../../core/task.ts'
import { builtInPrices } from '../../models/known-models.ts'
import { readJudgePrompts } from '../../score/judge/published-prompts.ts'
import { ifMissing } from '../../system/files.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../system/hash.ts'
import { forkPlanPath } from '../plan/fork-plan.ts'
import { hashPromptSets } from '../plan/prompt-sets.ts'
import { type RunIdentity, withoutAddresses } from '../records/same-run.ts'
import { hashTaskInputs, hashTasks } from '../records/task-inputs.ts'
import { findEnvironment } from './environment.ts'
import type { RunResources } from './open-resources.ts'

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
  const fileOf = await createDocumentFinder(docs).catch(ifMissing)
  const hashes: [string, string | null][] = []
  for (const name of names) {
    const path = fileOf?.(name) ?? null
    hashes.push([name, path === null ? null : await hashOfFile(path)])
  }
  return sha256(canonicalJson(hashes))
}

/** Returns what the results of a run depend on: its options, and the hashes of the files that they name. */
export async function identifyRun(
  config: RunConfig,
  tasks: readonly Task[],
  resources: RunResources,
): Promise<RunIdentity> {
  const inputs = await hashTaskInputs(config)
  const { judgePrompts, faults } = config
  return {
    ...withoutAddresses(selectRecordedValues(config)),
    search: config.search.length === 1 ? config.search[0] : config.search,
    ...(config.goalReading ? { readerModel: resources.readerName } : {}),
    ...(resources.mcpFacts === null ? {} : { mcp: resources.mcpFacts }),
    ...identifyAgents(config.agent, resources.agents.facts),
    ...identifyPlugins(resources.plugins),
    scorer: resources.scorers,
    models: identifyModels(resources.modelFacts()),
    inputs,
    tasksSha256: hashTasks(config.tasks, inputs),
    documentsSha256: await hashOfDocuments(tasks, config.docs),
    prompts: promptsVersion,
    promptsSha256: hashPromptSets(
      resources.prompts,
      tasks.map(({ question }) => question),
      config.setting,
    ),
    webSha256: resources.web?.hash ?? null,
    ...(faults === null
      ? {}
      : { faultsSha256: sha256(canonicalJson((await loadFaultProfile(faults)).faults)) }),
    ...(judgePrompts === null ? {} : { judgePromptsSha256: (await readJudgePrompts(judgePrompts)).hash }),
    ...(config.forks === null ? {} : { forksSha256: await sha256OfFile(forkPlanPath(config.forks)) }),
    ...searchPrice(config, resources),
    environment: await findEnvironment({ config, tasks, ...(await resources.machine()) }),
  }
}

/** Returns the options that change results and that runs record by value. */
function selectRecordedValues(config: RunConfig): Record<string, unknown> {
  const options = everyOption()
  return Object.fromEntries(
    Object.entries(config).filter(([name]) => {
      const option = options[name]
      return option?.changes === 'results' && option.recordedBy === 'value'
    }),
  )
}

/** A run without plug-ins has no field. */
function identifyPlugins(plugins: RunResources['plugins']): { readonly plugins?: readonly string[] } {
  if (plugins.length === 0) return {}
  return { plugins: plugins.map(({ name, hash }) => `${name}@${hash.slice(0, 12)}`) }
}

/** Runs of our own agent alone name none. */
function identifyAgents(
  agents: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): { readonly agents?: readonly string[]; readonly agentFacts?: unknown } {
  const names = nameAgents(agents)
  if (names.every(name => name === defaultAgent)) return {}
  return { agents: names, agentFacts: facts }
}

/** Returns the price of a search when it differs from the built-in one: budgets in US dollars depend on it. */
function searchPrice(config: RunConfig, { web, webPrices }: RunResources): { readonly searchUsd?: number } {
  const { searchUsd } = webPrices
  if (config.prices === null || web === null || web.entries !== null || searchUsd === null) return {}
  const builtIn = builtInPrices().searches[web.searched?.service ?? config.search[0]!]
  return searchUsd === builtIn ? {} : { searchUsd }
}

/** Returns the facts about models, without address and timeout, which may change. Prices stay: budgets in US dollars depend on them. */
function identifyModels(
  facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Record<string, unknown> {
  const plain = Object.entries(facts).map(([name, { baseUrl, requestTimeoutMs, ...modelFacts }]) => [
    name,
    modelFacts,
  ])
  return Object.fromEntries(plain)
}
